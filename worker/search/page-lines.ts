/**
 * The pages of hits in a document: before the first hit on a page comes the line that names the page, as context.
 *
 * @module
 */

/** The lines that name a page, as `texts/documents/writer.ts` writes them. */
const PAGE =
  /^\[(?:page|sheet|slide|chapter|cell|header|footer|footnotes|endnotes|comments)\b.*\]$/gm

/** Whether a text has a line that may name a page. */
export const hasPages = (text: string): boolean => text.search(PAGE) !== -1

/** Adds the lines of pages to the hits of a document. A chunk of hits begins with the number of its first line. */
export function withPages(chunks: readonly string[], text: string): string[] {
  const pages = listPages(text)
  let last = -1
  return chunks.map((chunk) => {
    const first = Number.parseInt(chunk, 10)
    const at = pages.findLastIndex(({ line }) => line <= first)
    const page = at === last ? undefined : pages[at]
    last = at
    return !page || page.line === first ? chunk : `${page.line}- ${page.name}\n${chunk}`
  })
}

function listPages(text: string) {
  const pages: { readonly line: number; readonly name: string }[] = []
  let [line, counted] = [1, 0]
  for (const { index, 0: name } of text.matchAll(PAGE)) {
    for (
      let at = text.indexOf('\n', counted);
      at !== -1 && at < index;
      at = text.indexOf('\n', at + 1)
    ) {
      line++
      counted = at + 1
    }
    pages.push({ line, name })
  }
  return pages
}
