/**
 * Faults of `worker/owner/`, `worker/api/`, `worker/apps/` and `worker/archive/`: routes of the owner, apps from files, imports.
 *
 * @module
 */

import type { Fault } from './fault.ts'

export const API: readonly Fault[] = [
  {
    name: 'owner: a page of another site sends what only the console may',
    promise: 'In a browser, only a page of this server decides',
    file: 'worker/owner/serve.ts',
    before: "OWNER_ACTS[act.name].from === 'console' && !isFromOwnPage(request)",
    after: "OWNER_ACTS[act.name].path === '' && !isFromOwnPage(request)",
    tests: ['test/worker/owner/serve.test.ts'],
  },
  {
    name: 'api: a page of another site decides',
    promise: 'In a browser, only a page of this server decides',
    file: 'worker/owner/own-page.ts',
    before: "headers.get('sec-fetch-site') === 'same-origin' && origin !== null",
    after: 'origin !== null',
    tests: ['test/worker/owner/drafts.test.ts'],
  },
  {
    name: 'api: a form is read as JSON',
    promise: 'A decision is JSON: a body that a form can send is refused',
    file: 'worker/owner/body.ts',
    before: "if (JSON_TYPE.test(request.headers.get('content-type') ?? ''))",
    after: 'if (request.body)',
    tests: ['test/worker/api/media-type.test.ts'],
  },
  {
    name: 'api: a conditional upload needs no scope to read',
    promise: 'A caller that can write and not read learns no existing content',
    file: 'worker/api/transfer-link.ts',
    before: 'return isConditional ? rewriting(path) : writing(path)',
    after: 'return isConditional ? writing(path) : writing(path)',
    tests: ['test/worker/api/transfer-link.test.ts'],
  },
  {
    name: 'api: rules are replaced whatever was read',
    promise: 'A conditional change of the rules replaces only what was read',
    file: 'worker/owner/config.ts',
    before: 'match !== null && !listsTag(match, tagOf(config.wanted))',
    after: "match === ''",
    tests: ['test/worker/owner/config.test.ts'],
  },
  {
    name: 'api: an unreadable rule is shown to a link',
    promise: 'No link and no signed-in client gets a path or a pattern of an invalid configuration',
    file: 'worker/owner/config.ts',
    before: 'if (!isOwner) return refuse(503,',
    after: 'if (problems.length === 0) return refuse(503,',
    tests: ['test/worker/api/unreadable-rules.test.ts'],
  },
  {
    name: 'api: a stored page is served as a page',
    promise: 'No stored file runs in our origin',
    file: 'worker/file-headers.ts',
    before: "'content-type': INERT.test(mime) ? mime : plain",
    after: "'content-type': INERT.test(mime) || text ? mime : plain",
    tests: ['test/e2e/files-read.test.ts'],
  },
  {
    name: 'owner: a list of requests lacks what the console decides by',
    promise: 'What an act of the owner answers is what the console decodes',
    file: 'worker/owner/requests.ts',
    before: 'can: requests.waysOf(one, config.current),',
    after: "can: ['call', 'ever' as 'call'],",
    tests: ['test/worker/owner/requests.test.ts'],
  },
  {
    name: 'texts: the name decides the type of content',
    promise: 'A file is served inline only as what its bytes are',
    file: 'worker/access/shown-type.ts',
    before: 'if (!SIGNED.test(mime) && !cannotBeText(mime)) return mime',
    after: "if (mime !== '') return mime",
    tests: ['test/worker/mislabelled.test.ts'],
  },
  {
    name: 'texts: a new line ends as lines on Unix do',
    promise: 'A new line has the ending of the lines beside it',
    file: 'worker/texts/endings.ts',
    before: '?? before ?? after ?? 0',
    after: '?? 0',
    tests: ['test/worker/texts/edits.test.ts', 'test/worker/texts/files.test.ts'],
  },
  {
    name: 'texts: what is added to a file always ends as lines on Unix do',
    promise: 'What is appended has the endings of the lines beside it',
    file: 'worker/texts/rewrite.ts',
    before: 'const both = writeLines(replacePart(lines, at, at, apart(lines.text, sent, side)))',
    after:
      "const both = side === 'append' ? near + apart(lines.text, sent, side) : apart(lines.text, sent, side) + near",
    tests: ['test/worker/texts/edits.test.ts', 'test/worker/texts/files.test.ts'],
  },
  {
    name: 'apps: an app is served after a file has changed',
    promise: 'No page of an app is served once a file of its folder has changed',
    file: 'worker/apps/served.ts',
    before: 'return readFolder(files, name)?.seal === seal',
    after: 'return readFolder(files, name) !== null && seal !== null',
    tests: ['test/worker/apps/apps.test.ts'],
  },
  {
    name: 'apps: a decision is not bound to what was shown',
    promise: 'What is approved is what was shown: a decision names a digest of the hashes',
    file: 'worker/apps/apps.ts',
    before: 'review.revision !== revision || now?.seal !== review.folder.seal',
    after: "revision === '' || now?.seal !== review.folder.seal",
    tests: ['test/worker/apps/attacks.test.ts', 'test/worker/owner/apps.test.ts'],
  },
  {
    name: 'apps: bytes of an app are approved unseen',
    promise: 'A file of an app that cannot be shown as text is approved only by its path',
    file: 'worker/apps/unseen.ts',
    before: 'return unseenPaths(differences, store)',
    after: 'return unseenPaths(differences.slice(0, 0), store)',
    tests: ['test/worker/owner/apps.test.ts'],
  },
  {
    name: 'apps: a difference of other files is shown',
    promise:
      'What is approved is what was shown: no difference is of another revision than its card',
    file: 'worker/owner/app-files.ts',
    before: "(params.get('revision') ?? revision) !== revision",
    after: "params.get('revision') === ''",
    tests: ['test/worker/owner/apps.test.ts'],
  },
  {
    name: 'apps: the tool of an app reads any file',
    promise: 'The page of an app gets the files that its manifest names, in parts',
    file: 'worker/apps/app-data.ts',
    before: "return entry?.type === 'file' && isNamed ? entry : null",
    after: "return entry?.type === 'file' && patterns.length > 0 ? entry : null",
    tests: ['test/worker/apps/app-tool.test.ts'],
  },
  {
    name: 'archive: an entry leaves the folder',
    promise: 'No archive leads outside the folder into which it is imported',
    file: 'worker/archive/import.ts',
    before: "return name.split('/').includes('..')",
    after: "return name === '..'",
    tests: ['test/e2e/archives.slow.test.ts'],
  },
]
