// The errors that are reported to the developer. None is thrown, because a faulty campaign must not stop the app.

export type InAppErrorCode =
  /** The campaigns could not be fetched, or the response was not a list. */
  | 'FETCH_FAILED'
  /** An element of the list has no ID, no type or no content. It is skipped. */
  | 'MALFORMED_CAMPAIGN'
  /** The client cannot show campaigns of this type, and `render` did not show the campaign. It is skipped. */
  | 'UNKNOWN_KIND'
  /** The content is empty, or lacks a part that the type requires. The campaign is skipped. */
  | 'MALFORMED_CONTENT'
  /** A text or list was too long and is truncated. */
  | 'CONTENT_CUT'
  /** The URL of a link or picture is not allowed. The link or picture is omitted. */
  | 'UNSAFE_ADDRESS'
  /** The page has no element that matches the `anchor` of a tooltip. The tooltip is skipped. */
  | 'ANCHOR_NOT_FOUND'
  /** The app called `answered` for a type without answers. Only the click is reported. */
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

/** Reports an error of one campaign. */
export type TellFault = (code: InAppErrorCode, message: string, cause?: unknown) => void;
