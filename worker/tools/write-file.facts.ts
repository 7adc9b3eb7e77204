/** Facts of `write_file` for the docs and the tests. @module */

import {
  PLAN,
  rewrites,
  usage,
  writes,
  type CheckedFacts,
  changeHints,
} from './lib/checked-facts.ts'

export const facts: CheckedFacts = {
  example: PLAN.arguments,
  hints: changeHints(
    'It writes a file.',
    'It can replace the content of a file; history keeps the old one.',
  ),
  scopes: ['write:file:/docs'],
  hasPaths: true,
  refusals: [
    'is_folder',
    'not_a_folder',
    'is_binary',
    'is_document',
    'too_large',
    'version_conflict',
  ],
  argumentCodes: ['MISSING_CONTENT', 'INVALID_CONTENT', 'INVALID_CONTENT_BASE64', 'INVALID_MODE'],
  uses: usage(1, 14, 7),
  alsoUses: {
    'a new file': { arguments: { path: 'many/new.txt', content: 'new\n' }, uses: usage(1, 15, 5) },
    'an existing file': {
      arguments: { path: 'many/file-1.txt', content: 'newer\n' },
      uses: usage(1, 17, 5),
    },
    '240 kB to R2': {
      arguments: { path: 'many/larger.txt', content: 'howdy\n'.repeat(40_000) },
      uses: usage(2, 33, 12, [1, 1]),
    },
  },
  changes: {
    overwrite: ({ file }) => ({ path: file, content: 'canary' }),
    new: ({ folder }) => ({ path: `${folder}/new/x`, content: 'canary' }),
    bytes: ({ file }) => ({ path: file, content_base64: btoa('canary') }),
    append: ({ file }) => ({ path: file, content: 'canary', mode: 'append' }),
    prepend: ({ file }) => ({ path: file, content: 'canary', mode: 'prepend' }),
    if_version: ({ file, version }) => ({ path: file, content: 'canary', if_version: version }),
  },
  access: ({ files }) => [
    ...files.map(({ path }) => ({ arguments: { path, content: 'new' }, needs: writes(path) })),
    ...files.map(({ path }) => ({
      arguments: { path, content_base64: btoa('bytes') },
      needs: writes(path),
    })),
    ...files.map(({ path }) => ({
      arguments: { path, content: 'x', mode: 'append' },
      needs: rewrites(path),
    })),
    ...files.map(({ path, version }) => ({
      arguments: { path, content: 'x', if_version: version },
      needs: rewrites(path),
      mayFail: true,
    })),
    ...files.map(({ path }) => ({
      arguments: { path: `${path}/below`, content: 'x' },
      needs: writes(`${path}/below`),
      mayFail: true,
      depends: 'write-only' as const,
    })),
  ],
}
