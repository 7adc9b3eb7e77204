import { buildTree, type Folder } from '#host/console/drafts/file-tree.ts'
import { expect, it } from 'vitest'

type File = { readonly path: string }

/** Lists a tree, one row each, by depth. */
const rowsOf = ({ folders, files }: Folder<File>, depth = 0): string[] => [
  ...folders.flatMap((each) => [`${'  '.repeat(depth)}${each.name}/`, ...rowsOf(each, depth + 1)]),
  ...files.map(({ name }) => `${'  '.repeat(depth)}${name}`),
]

const treeOf = (...paths: string[]) => rowsOf(buildTree(paths.map((path) => ({ path }))))

it('nests folders, in path order, whatever the order of the files', () => {
  expect(treeOf('/src/b.ts', '/a.md', '/src/a.ts', '/docs/x.md')).toEqual([
    '/docs/',
    '  x.md',
    '/src/',
    '  a.ts',
    '  b.ts',
    '/a.md',
  ])
})

it('shows a chain of folders as one, and never shortens a path', () => {
  expect(treeOf('/one/two/three/a.md', '/one/two/three/b.md')).toEqual([
    '/one/two/three/',
    '  a.md',
    '  b.md',
  ])
  expect(treeOf('/one/two/a.md', '/one/b.md')).toEqual(['/one/', '  two/', '    a.md', '  b.md'])
})

it('keeps a file beside a folder of the same name', () => {
  expect(treeOf('/a', '/a/b')).toEqual(['/a/', '  b', '/a'])
})
