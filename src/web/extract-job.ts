/** What the extraction worker is asked, and what it answers. */

export interface ExtractJob {
  readonly html: string;
  /** Where the page was found: relative links are made whole with it. */
  readonly url: string;
}

export type ExtractReply =
  | { readonly ok: true; readonly title: string; readonly markdown: string }
  /** The page could not be handled; the worker can go on with the next one. */
  | { readonly ok: false; readonly reason: string };
