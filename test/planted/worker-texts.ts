/**
 * Faults of `worker/texts/` and `worker/xml/`: what documents of others may do.
 *
 * @module
 */

import type { Fault } from './fault.ts'

const HOSTILE = ['test/worker/texts/documents/hostile.test.ts']
const KEPT = ['test/worker/texts/kept.test.ts']
const LOAD = ['test/worker/texts/documents/load.test.ts']
const XML = ['test/worker/xml/read.test.ts']

export const TEXT_FAULTS: readonly Fault[] = [
  {
    name: 'xml: elements are nested without end',
    promise: 'The depth of XML from outside is bounded',
    file: 'worker/xml/read.ts',
    before: 'if (open.length >= reader.maxDepth)',
    after: 'if (open.length < 0)',
    tests: XML,
  },
  {
    name: 'documents: objects have no budget',
    promise: 'A document takes no more than its budgets',
    file: 'worker/texts/documents/budget.ts',
    before: 'if (objects > MAX_DOCUMENT_OBJECTS)',
    after: 'if (objects < 0)',
    tests: HOSTILE,
  },
  {
    name: 'documents: one that ended the object is read for ever',
    promise: 'A document that ended the object three times is not read again',
    file: 'worker/store/content/documents.ts',
    before: 'if (attempts >= MAX_ATTEMPTS)',
    after: 'if (attempts < 0)',
    tests: KEPT,
  },
  {
    name: 'documents: the answer of another place is as long as it likes',
    promise: 'What another place reads of a document is parsed like any untrusted input',
    file: 'worker/texts/documents/load.ts',
    before: 'text.length > MAX_DOCUMENT_TEXT',
    after: 'text.length < 0',
    tests: LOAD,
  },
  {
    name: 'texts: a damaged stream of a PDF is not measured',
    promise: 'No document costs more than its budget',
    file: 'worker/texts/documents/inflate.ts',
    before: 'if (whole) return whole',
    after: 'if (whole || bytes.length > 0) return whole',
    tests: HOSTILE,
  },
  {
    name: 'texts: an encrypted part is read',
    promise: 'Encrypted documents are named as such',
    file: 'worker/texts/documents/zip.ts',
    before: 'if (isEncrypted) throw',
    after: 'if (isEncrypted && packed < 0) throw',
    tests: HOSTILE,
  },
  {
    name: 'texts: texts of documents are kept without a limit',
    promise: 'The texts that are kept have a limit',
    file: 'worker/store/content/documents.ts',
    before: 'if (kept > MAX_KEPT_TEXT)',
    after: 'if (kept < 0)',
    tests: KEPT,
  },
]
