// One stylesheet for all messages. It is constructed, so a page's policy needs no exception for it.

let sheet: CSSStyleSheet | undefined;

export function messageStyles(): CSSStyleSheet {
  if (sheet === undefined) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(CSS);
  }
  return sheet;
}

/**
 * The page may set the four `--in-app-*` properties. Dark colors are used if the page's
 * `color-scheme` is dark. Lengths in `em` follow the page's font size.
 */
const CSS = `
:host { all: initial; color-scheme: inherit; font: 1rem/1.4 var(--in-app-font, system-ui, sans-serif);
  --paper: #fff; --ink: #1b2130; --quiet: #545d70; --line: #767f92; --soft: #eef2ff; --bad: #b3261e;
  --accent: var(--in-app-accent, #3a51cc); --on-accent: var(--in-app-on-accent, #fff);
  --round: var(--in-app-radius, .9em); }
@supports (color: light-dark(#000, #fff)) { :host { --paper: light-dark(#fff, #242c3b);
  --ink: light-dark(#1b2130, #eef1f7); --quiet: light-dark(#545d70, #b6becd);
  --line: light-dark(#767f92, #8f9ab0); --soft: light-dark(#eef2ff, #323c4e);
  --bad: light-dark(#b3261e, #ffb4ab); --accent: var(--in-app-accent, light-dark(#3a51cc, #96abff));
  --on-accent: var(--in-app-on-accent, light-dark(#fff, #0c1017)); } }
* { box-sizing: border-box; font: inherit; color: inherit; }
section, dialog { position: fixed; z-index: 2147483000; margin: 0 auto; padding: 1em;
  max-height: calc(100vh - 1.5em); max-height: calc(100dvh - 1.5em); overflow: auto; overscroll-behavior: contain; overflow-wrap: anywhere;
  background: var(--paper); color: var(--ink); border: 1px solid transparent;
  border-radius: var(--round); box-shadow: 0 8px 28px rgb(10 20 50 / 30%); }
.top, .anchor { top: .75em; left: .75em; right: .75em; max-width: 40em; }
.anchor { max-width: 20em; }
.bottom { bottom: .75em; left: .75em; right: .75em; max-width: 26em; }
dialog { width: calc(100% - 1.5em); max-width: 28em; margin: auto; }
dialog::backdrop { background: rgb(10 15 30 / 55%); }
dialog.whole { width: 100%; max-width: none; height: 100%; max-height: none; border-radius: 0; }
dialog.whole[open] { display: flex; flex-direction: column; justify-content: center; align-items: center;
  text-align: center; }
section:focus, dialog:focus, p:focus { outline: none; }
h2 { margin: 0; padding-inline-end: 2em; font-size: 1.1em; font-weight: 650; line-height: 1.3; }
.whole h2 { padding-inline: 2em; }
p { margin: .4em 0 0; }
.text { color: var(--quiet); white-space: pre-line; }
h2 + .text, .text:first-of-type { padding-inline-end: 0; }
.close + .text { padding-inline-end: 2em; }
.question { font-weight: 600; }
img { display: block; max-width: calc(100% - 2.5em); max-height: 40vh; margin-block-end: .75em;
  border-radius: calc(var(--round) / 2); }
.close { position: absolute; inset-block-start: .4em; inset-inline-end: .4em; width: 2em; height: 2em;
  border: 0; border-radius: 50%; background: transparent; color: var(--quiet); font-size: 1.15em;
  line-height: 1; cursor: pointer; }
.close:hover { background: var(--soft); }
.button { display: block; width: 100%; margin-block-start: .9em; padding: .6em 1em; border: 1px solid transparent;
  border-radius: .5em; background: var(--accent); color: var(--on-accent); font-weight: 600;
  text-align: center; text-decoration: none; cursor: pointer; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.scale, .stars { display: grid; grid-template-columns: repeat(auto-fit, minmax(1.6em, 1fr)); gap: .2em;
  margin-block-start: .8em; }
.scale { grid-template-columns: repeat(11, 1fr); }
@media (max-width: 25em) { .scale { grid-template-columns: repeat(6, 1fr); } }
.scale label, .stars label { position: relative; cursor: pointer; }
.scale input, .stars input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0;
  cursor: pointer; }
.scale span, .stars span { display: block; padding: .35em 0; border: 1px solid var(--line); border-radius: .3em;
  background: var(--soft); text-align: center; }
.stars span { border-color: transparent; background: transparent; color: var(--line); font-size: 1.8em;
  line-height: 1; }
.scale :checked + span { background: var(--accent); color: var(--on-accent); }
.stars :checked + span { color: var(--accent); }
.stars label:has(:checked) span, .stars label:has(~ label :checked) span { color: var(--accent); }
.scale :focus-visible + span, .stars :focus-visible + span { outline: 3px solid var(--accent); outline-offset: 2px; }
.ends { display: flex; justify-content: space-between; gap: 1em; margin-block-start: .3em; color: var(--quiet);
  font-size: .85em; }
.options { display: grid; gap: .4em; margin-block-start: .8em; }
.options label, .check { display: flex; gap: .6em; align-items: baseline; padding: .55em .7em;
  border: 1px solid var(--line); border-radius: .5em; cursor: pointer; }
.options label:has(:checked) { border-color: var(--accent); background: var(--soft); }
.check { margin-block-start: .8em; padding: 0; border: 0; }
input { accent-color: var(--accent); }
.field { display: block; margin-block-start: .8em; }
.field span { display: block; margin-block-end: .25em; }
.field input, .field select, textarea { width: 100%; padding: .5em; border: 1px solid var(--line);
  border-radius: .4em; background: var(--paper); }
[aria-invalid=true] { border-color: var(--bad); }
.error { color: var(--bad); }
.error:empty { display: none; }
.timer { font-size: 1.5em; font-weight: 650; font-variant-numeric: tabular-nums; }
.announced { position: fixed; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); }
@media (prefers-reduced-motion: no-preference) {
  section, dialog[open] { animation: in .2s ease-out; }
  @keyframes in { from { opacity: 0; translate: 0 .5em; } } }
`;
