// An email's HTML as a document for a sandboxed frame. The frame's sandbox and the page's policy stop
// scripts and requests by themselves; this only makes what they stop look as it should.

/** Grey, in the place of a picture that is not loaded. */
const PLACEHOLDER =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 4 3'%3E%3Crect width='4' height='3' fill='%23e2e6ee'/%3E%3C/svg%3E";

const STYLE = `:root{color-scheme:light}body{margin:0;padding:20px;font:15px/1.55 system-ui,sans-serif;
color:#1c2330;background:#fff;overflow-wrap:break-word}img{max-width:100%;height:auto}`;

export type SafePage = { readonly page: string; readonly picturesLeftOut: number };

export function safePage(html: string): SafePage {
  // A document made so loads and runs nothing.
  const parsed = new DOMParser().parseFromString(html, 'text/html');
  for (const active of parsed.querySelectorAll('script, iframe, object, embed, link, base, meta'))
    active.remove();
  let picturesLeftOut = 0;
  for (const image of parsed.querySelectorAll('img')) {
    if (image.getAttribute('src')?.startsWith('data:')) continue;
    image.setAttribute('src', PLACEHOLDER);
    image.removeAttribute('srcset');
    picturesLeftOut++;
  }
  // The sandbox silently blocks new windows.
  for (const link of parsed.querySelectorAll('a')) link.setAttribute('target', '_blank');
  const style = parsed.createElement('style');
  style.textContent = STYLE;
  parsed.head.prepend(style);
  return { page: `<!doctype html>${parsed.documentElement.outerHTML}`, picturesLeftOut };
}
