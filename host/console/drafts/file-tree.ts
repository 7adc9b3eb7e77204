/**
 * The tree of changed files: folders with their files, and chains of folders without a file between them as one.
 * `test/host/console/file-tree.test.ts` has the cases.
 *
 * @module
 */

/** A folder, with what is in it in path order. */
export interface Folder<T> {
  /** Its path below the folder that it is in. */
  readonly name: string
  readonly folders: readonly Folder<T>[]
  readonly files: readonly Leaf<T>[]
}

/** A file, with its last name. */
export interface Leaf<T> {
  readonly name: string
  readonly file: T
}

interface Building<T> {
  readonly folders: Map<string, Building<T>>
  readonly files: Leaf<T>[]
}

/** Builds the tree of files, whose root has no name. What is at the root begins with `/`. */
export function buildTree<T extends { readonly path: string }>(files: readonly T[]): Folder<T> {
  const root: Building<T> = { folders: new Map(), files: [] }
  for (const file of files.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const [first = '', ...others] = file.path.slice(1).split('/')
    const names = [`/${first}`, ...others]
    const name = names.pop() ?? ''
    let at = root
    for (const folder of names) {
      const next = at.folders.get(folder) ?? { folders: new Map(), files: [] }
      at.folders.set(folder, next)
      at = next
    }
    at.files.push({ name, file })
  }
  return finish('', root)
}

function finish<T>(name: string, { folders, files }: Building<T>): Folder<T> {
  const [only, ...others] = folders
  // A root keeps its name, so that no path is shortened by what it has in common with others.
  if (only && others.length === 0 && files.length === 0 && name !== '')
    return finish(`${name}/${only[0]}`, only[1])
  return { name, folders: [...folders].map(([own, folder]) => finish(own, folder)), files }
}
