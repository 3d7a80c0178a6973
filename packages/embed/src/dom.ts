type Attributes = Record<string, string | boolean | undefined>;
export type Child = Node | string | undefined | false;

/** Creates an element without parsing HTML, so that it also works with Trusted Types. */
export function h(tag: string, attributes: Attributes = {}, ...children: (Child | Child[])[]): HTMLElement {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : value);
  for (const child of children.flat()) if (child !== undefined && child !== false) element.append(child);
  return element;
}

export function button(text: string, attributes: Attributes, onClick: () => void): HTMLElement {
  const element = h('button', { type: 'button', ...attributes }, text);
  element.addEventListener('click', onClick);
  return element;
}
