/** A problem or an open review, with the address of its page. */
export type Concern = { readonly text: string; readonly href: string };
