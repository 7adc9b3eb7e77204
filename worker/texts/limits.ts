/**
 * Limits of the texts of documents, for files of others: what is over one of them is refused as a whole.
 *
 * `test/worker/texts/documents/hostile.test.ts` and its slow part have the edges.
 *
 * @module
 */

const KIB = 1024
const MIB = 1024 * KIB

/** Maximum size, in bytes, of a document whose text is extracted. */
export const MAX_DOCUMENT_BYTES = 32 * MIB

/** Maximum size, in bytes, of a PDF that is read in the isolate of the workspace, where no other place for it is bound. */
export const MAX_PDF_BYTES = 8 * MIB

/** Maximum bytes to which the parts of one document are decompressed, all together. */
export const MAX_INFLATED_BYTES = 64 * MIB

/** Maximum bytes to which the pictures of one PDF are decompressed, all together, to measure them. */
export const MAX_PICTURE_BYTES = 512 * MIB

/** Maximum bytes to which one part of a document is decompressed. */
export const MAX_PART_BYTES = 24 * MIB

/** Maximum number of files in a document that is an archive. */
export const MAX_DOCUMENT_PARTS = 10_000

/** Maximum number of elements, texts, cells and other objects that are read of one document. */
export const MAX_DOCUMENT_OBJECTS = 4_000_000

/** Maximum number of elements inside each other in a document. */
export const MAX_DOCUMENT_DEPTH = 256

/** Maximum length of one tag in the XML of a document. */
export const MAX_DOCUMENT_TAG = 256 * 1024

/** Maximum number of pages, sheets, slides and chapters of a document. */
export const MAX_DOCUMENT_PAGES = 5_000

/** Maximum length, in UTF-16 code units, of the text of a document; every such text is searched. */
export const MAX_DOCUMENT_TEXT = 4 * 1024 * 1024

/** Documents that one search reads at most whose text was not extracted yet; further ones are counted as not searched. */
export const MAX_SEARCH_EXTRACTED = 8

/** Maximum time, in ms, for which a document waits for the other place that reads documents. Then the workspace reads it. */
export const MAX_EXTRACTOR_MS = 60_000

/** Maximum length of all texts of documents that a workspace keeps; beyond it, that of the oldest content goes. */
export const MAX_KEPT_TEXT = 512 * 1024 * 1024
