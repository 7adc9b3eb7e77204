/**
 * Documents: content whose text is extracted, because its bytes are not text that a person would read.
 *
 * @module
 */

/** The formats that are read. */
export type DocumentFormat =
  | 'pdf'
  | 'docx'
  | 'xlsx'
  | 'pptx'
  | 'odt'
  | 'ods'
  | 'odp'
  | 'epub'
  | 'rtf'
  | 'ipynb'
  | 'html'

/** Why a document has no text. */
export type NoText =
  /** It needs a password, or its rights are managed. */
  | 'encrypted'
  /** Its pages are pictures. */
  | 'scanned'
  /** It is not what it claims to be, or is damaged. */
  | 'broken'
  /** It exceeds one of the limits of documents. */
  | 'too_large'
  /** It is of a format that is not read, such as that of old office programs. */
  | 'unknown_format'

/** The text of a document. */
export interface DocumentText {
  readonly format: DocumentFormat
  /** Lines that end with `\n`. The first line of each page, sheet, slide or chapter names it, if there are any. */
  readonly text: string
  /** The lines, counted from 1, at which its pages begin; one for a document without pages. */
  readonly pages: readonly number[]
}

/** What an extraction found. */
export type Extracted =
  | { readonly ok: true; readonly value: DocumentText }
  | { readonly ok: false; readonly why: NoText; readonly detail: string }

/**
 * Thrown by the readers, and returned as a value by `extract.ts`: a reader is deep inside of a document when it finds
 * that there is no text.
 */
export class DocumentFault extends Error {
  readonly why: NoText

  constructor(why: NoText, detail: string) {
    super(detail)
    this.why = why
  }
}
