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
    name: 'xml: an unknown entity is accepted',
    promise: 'XML from outside expands and reads nothing',
    file: 'worker/xml/read.ts',
    before: 'if (char === undefined) throw fault',
    after: "if (char === '') throw fault",
    tests: XML,
  },
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
    before: 'if (++objects > MAX_DOCUMENT_OBJECTS)',
    after: 'if (++objects < 0)',
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
]
