/** Something that somebody should look at, and where. */
export type Concern = { readonly text: string; readonly href: string };
