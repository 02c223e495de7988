// What the developer is told about. Nothing of it is thrown: a bad campaign must not stop the app.

export type InAppErrorCode =
  /** The campaigns could not be fetched, or the answer is not a list. */
  | 'FETCH_FAILED'
  /** An element of the list has no ID, no type or no content. It is skipped. */
  | 'MALFORMED_CAMPAIGN'
  /** The type is not one that the client can show, and `render` did not take it. It is skipped. */
  | 'UNKNOWN_KIND'
  /** The content has nothing to show, or lacks what its type needs. It is skipped. */
  | 'MALFORMED_CONTENT'
  /** A text or list was longer than the client shows. The rest is cut off. */
  | 'CONTENT_CUT'
  /** A link or picture does not have an address that the client uses. It is left out. */
  | 'UNSAFE_ADDRESS'
  /** The page has no element for the `anchor` of a tooltip. It is skipped. */
  | 'ANCHOR_NOT_FOUND'
  /** The app answered a campaign whose type has no answers. Only the click is reported. */
  | 'NO_ANSWERS'
  /** `render` threw an error, and the client shows the campaign itself; or the browser lacks
   * what the client needs to show it. */
  | 'RENDER_FAILED';

export type InAppError = {
  readonly code: InAppErrorCode;
  readonly message: string;
  readonly campaignId?: string;
  readonly cause?: unknown;
};

/** Tells of a fault of one campaign. */
export type TellFault = (code: InAppErrorCode, message: string, cause?: unknown) => void;
