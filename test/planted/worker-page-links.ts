/**
 * Faults of pages for people: what a link shows and keeps, how it ends, and what its pages may do.
 *
 * @module
 */

import type { Fault } from './fault.ts'

const SCOPE = ['test/worker/page-links/scope.test.ts']
const LIFE = ['test/worker/page-links/page-links.test.ts']
const SERVE = ['test/worker/page-links/serve.test.ts']
const RENDER = ['test/worker/page-links/render.test.ts']
const OWNER = ['test/worker/page-links/owner.test.ts']
const LIMITS = ['test/worker/page-links/limits.test.ts']

const INSIDE = 'A page link shows nothing outside of its file or folder'
const NOT_HIDDEN =
  'A folder shows nothing that is hidden, secret by its name or denied by the rules'

export const PAGE_LINK_FAULTS: readonly Fault[] = [
  {
    name: 'page links: a hidden file is shown',
    promise: NOT_HIDDEN,
    file: 'worker/access/page-scope.ts',
    before: "nameOf(path).startsWith('.') ||",
    after: "nameOf(path).startsWith('..') ||",
    tests: SCOPE,
  },
  {
    name: 'page links: a file with the name of a secret is shown',
    promise: NOT_HIDDEN,
    file: 'worker/access/page-scope.ts',
    before: 'mayHaveSecrets(path) ||',
    after: '(mayHaveSecrets(path) && root === path) ||',
    tests: SCOPE,
  },
  {
    name: 'page links: a file that the rules deny is shown',
    promise: NOT_HIDDEN,
    file: 'worker/access/page-scope.ts',
    before: 'layers.some((layer) => isDenied(layer, path))',
    after: 'layers.every((layer) => isDenied(layer, root))',
    tests: SCOPE,
  },
  {
    name: 'page links: a hidden folder shows what is in it',
    promise: NOT_HIDDEN,
    file: 'worker/access/page-scope.ts',
    before: 'return !places.some(isHidden)',
    after: 'return !places.slice(-1).some(isHidden)',
    tests: SCOPE,
  },
  {
    name: 'page links: what is found is not compared with the scope',
    promise: INSIDE,
    file: 'worker/page-links/source.ts',
    before: 'if (!isShown(path)) return null',
    after: "if (path === '') return null",
    tests: SCOPE,
  },
  {
    name: 'page links: a folder takes the place of a file',
    promise: 'A link to a file shows nothing that took its place',
    file: 'worker/page-links/source.ts',
    before: 'entry?.type !== link.kind ? null : entry',
    after: 'entry?.type === undefined ? null : entry',
    tests: LIFE,
  },
  {
    name: 'page links: one outlives its time',
    promise: 'A page link ends at its time',
    file: 'worker/page-links/page-links.ts',
    before: 'return link && link.expires > Date.now() ? link : null',
    after: 'return link && link.expires >= Date.now() ? link : null',
    tests: LIFE,
  },
  {
    name: 'page links: content that one keeps is deleted with history',
    promise: 'A pinned page shows what it was made of, whatever is changed later',
    file: 'worker/store/content/blobs.ts',
    before: "...(hasTables(sql, 'pages') ? [IN_PINS] : []),",
    after: "...(hasTables(sql, 'pages') ? [] : []),",
    tests: ['test/worker/store/pins.test.ts', ...LIFE],
  },
  {
    name: 'page links: content stays for ever after the end',
    promise: 'The content that a page link keeps goes with its end',
    file: 'worker/page-links/page-links.ts',
    before: 'if (link && !link.isLive) pins.drop(id)',
    after: 'if (link?.isLive) pins.drop(id)',
    tests: LIFE,
  },
  {
    name: 'page links: a picture counts as an opening',
    promise: 'Only pages count as openings',
    file: 'worker/page-links/serve-page.ts',
    before: 'const path = pathAt(link, pathname.slice(PAGE_PATH.length))',
    after:
      'const path = pathAt(link, pathname.slice(PAGE_PATH.length))\n  pageLinks.countOpening(link.id)',
    tests: LIFE,
  },
  {
    name: 'page links: each opening is a write',
    promise: 'Openings are written at most once in ten seconds for each link',
    file: 'worker/page-links/openings.ts',
    before: 'if (now < due) {',
    after: 'if (now < one.written) {',
    tests: LIFE,
  },
  {
    name: 'page links: a page may run scripts',
    promise: 'No content runs a script on a page',
    file: 'worker/page-links/layout.ts',
    before: '"default-src \'none\'",',
    after: '"default-src \'self\'",',
    tests: SERVE,
  },
  {
    name: 'page links: a picture of vectors is a page of its own',
    promise: 'A picture is never shown by itself as a page',
    file: 'worker/page-links/serve-page.ts',
    before: "headers.set('content-type', type)",
    after: "headers.set('content-type', type)\n  headers.set('content-disposition', 'inline')",
    tests: SERVE,
  },
  {
    name: 'page links: any file is served as a picture',
    promise: 'What is served as a picture is one by its bytes',
    file: 'worker/page-links/serve-page.ts',
    before: 'if (!PICTURE.test(type)) return null',
    after: "if (type === '') return null",
    tests: SERVE,
  },
  {
    name: 'page links: an address of any scheme is a link',
    promise: 'A link of a file leads to a page, a place or a site',
    file: 'worker/page-links/addresses.ts',
    before: "['https:', 'http:', 'mailto:'].includes(url.protocol)",
    after: "!['data:', 'file:'].includes(url.protocol)",
    tests: RENDER,
  },
  {
    name: 'page links: a picture of another site is loaded',
    promise: 'A page loads nothing of another site',
    file: 'worker/page-links/markdown-html.ts',
    before: "if (target?.type !== 'file' || printing.images >= MAX_PAGE_IMAGES)",
    after:
      "if (target?.type === 'site') return markup`<img src=\"${target.href}\" />`\n  if (target?.type !== 'file' || printing.images >= MAX_PAGE_IMAGES)",
    tests: RENDER,
  },
  {
    name: 'page links: a program makes one',
    promise: 'Only the owner makes a page link, on a page of this server',
    file: 'core/owner/acts.ts',
    before: "make_page_link: decision('POST', '/page-links')",
    after: "make_page_link: act('POST', '/page-links')",
    tests: OWNER,
  },
  {
    name: 'page links: requests are not limited',
    promise: 'The requests of each page link are limited',
    file: 'worker/page-links/page-links.ts',
    before: 'if (seconds === 0) bucket.left--',
    after: 'if (seconds > 0) bucket.left--',
    tests: LIMITS,
  },
  {
    name: 'page links: parts leave lines out',
    promise: 'The parts of a file are all of it',
    file: 'worker/page-links/parts.ts',
    before: '    taken.push(item)\n',
    after:
      '    if (taken.length > 0 || number === 1) taken.push(item)\n    else taken = [item].slice(1)\n',
    tests: RENDER,
  },
]
