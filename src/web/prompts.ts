/** What a model is shown of a page beside its instructions: the question, and the page between two marks. */

export interface PageQuestion {
  readonly question: string;
  readonly url: string;
  readonly title: string;
  readonly markdown: string;
  /** Of the answer. */
  readonly maxTokens: number;
  /** Stands around the page; a page that does not know it cannot pretend to end. */
  readonly mark: string;
}

/** The question stands on both sides, so that the last words are not the page's. */
export const pageMessage = (page: PageQuestion): string =>
  `Question: ${page.question}

URL: ${page.url}
Title: ${page.title === '' ? '(none)' : page.title}

<page ${page.mark}>
${page.markdown}
</page ${page.mark}>

Answer this question from the page above: ${page.question}`;
