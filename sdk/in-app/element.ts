// Creates elements. Text is set as text and never parsed, so content cannot become markup, and the
// page's policy may require trusted types. Inline styles are never used.

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly (Node | string | undefined)[]
): HTMLElementTagNameMap[Tag] {
  const created = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    created.setAttribute(name, value === true ? '' : `${value}`);
  }
  created.append(...children.filter(child => child !== undefined));
  return created;
}

/** The direction of content follows its own script, not the direction of the page. */
export function paragraph(className: string, text: string): HTMLParagraphElement | undefined {
  return text === '' ? undefined : element('p', { class: className, dir: 'auto' }, text);
}

export function button(label: string, onClick: () => void): HTMLButtonElement {
  const created = element('button', { type: 'button', class: 'button', dir: 'auto' }, label);
  created.addEventListener('click', onClick);
  return created;
}
