/**
 * Expected contents of a folder that only one agent writes: every folder, and every file with its
 * text and its version.
 *
 * @module
 */

export interface File {
  readonly text: string
  readonly version: number
}

/** By path; null for a folder. */
export type Tree = ReadonlyMap<string, File | null>

const isWithin = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`)

export function withFile(tree: Tree, path: string, file: File): Tree {
  return withFolders(tree, path).set(path, file)
}

/** The folders above a path belong to it. */
function withFolders(tree: Tree, path: string): Map<string, File | null> {
  const next = new Map(tree)
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
    next.set(path.slice(0, at), null)
  return next
}

export function without(tree: Tree, path: string): Tree {
  return new Map([...tree].filter(([each]) => !isWithin(each, path)))
}

/** What is moved is as new as the move. */
export function moved(tree: Tree, from: string, to: string, version: number): Tree {
  const next = withFolders(without(tree, from), to)
  for (const [path, file] of tree)
    if (isWithin(path, from))
      next.set(to + path.slice(from.length), file && { text: file.text, version })
  return next
}

/** The tree before a change, with the version of the undo for every path that it touched. */
export function revoke(before: Tree, after: Tree, version: number): Tree {
  const renewed = (path: string, file: File | null) =>
    file === null || file === after.get(path) ? file : { text: file.text, version }
  return new Map([...before].map(([path, file]) => [path, renewed(path, file)]))
}

/** The names in a folder, in order. */
export function childrenOf(tree: Tree, folder: string): { name: string; file: File | null }[] {
  return [...tree]
    .filter(([path]) => path.slice(0, path.lastIndexOf('/')) === folder)
    .map(([path, file]) => ({ name: path.slice(folder.length + 1), file }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

export function filesOf(tree: Tree): { path: string; file: File }[] {
  return [...tree].flatMap(([path, file]) => (file ? [{ path, file }] : []))
}

export function foldersIn(tree: Tree, base: string): string[] {
  return [...tree]
    .flatMap(([path, file]) => (file || path === base ? [] : [path]))
    .filter((path) => isWithin(path, base))
}
