/**
 * Functions and exports of source files, with their lengths and docstrings.
 *
 * @module
 */

import { ALL_NAMES } from './imports.ts'
import { childrenOf, isNode, linesBetween, type Node, type Source } from './source.ts'

/** A function and its length, from the line with its name to its last one. */
export interface Length {
  /** File and name, such as `worker/open.ts openWorkspace`. */
  readonly name: string
  readonly lines: number
}

const FUNCTIONS = new Set(['ArrowFunctionExpression', 'FunctionDeclaration', 'FunctionExpression'])

/** Lists all functions, longest first. An unnamed one goes by the name of what it is assigned to. */
export function listFunctions({ file, text, body }: Source): Length[] {
  const found: Length[] = []
  function visit(node: Node, name: string): void {
    const own = nameOf(node) ?? name
    if (FUNCTIONS.has(node.type))
      found.push({ name: `${file} ${own}`, lines: linesBetween(text, node.start, node.end) })
    for (const child of childrenOf(node)) visit(child, own)
  }
  for (const node of body) visit(node, 'module')
  return found.toSorted((a, b) => b.lines - a.lines)
}

/**
 * Lists the exports without a docstring that leave their folder. The header of a module does not count as one.
 *
 * @param used The names that files of other folders import of the file.
 */
export function listUndocumented(
  { file, text, body }: Source,
  used: ReadonlySet<string> = new Set(),
): string[] {
  return body
    .filter(({ type, declaration }) => type.startsWith('Export') && isNode(declaration))
    .filter(({ start }) => !isDocumented(text.slice(0, start).trimEnd()))
    .flatMap((node) => nameOf(childrenOf(node)[0] ?? node) ?? 'default')
    .filter((name) => used.has(name) || used.has(ALL_NAMES))
    .map((name) => `${file} ${name}`)
}

function isDocumented(before: string): boolean {
  const comment = before.slice(before.lastIndexOf('/**'))
  return before.endsWith('*/') && !comment.slice(0, -2).includes('*/') && !/@module\b/.test(comment)
}

function nameOf(node: Node): string | null {
  const [first] = Array.isArray(node['declarations']) ? node['declarations'] : [node]
  const name = isNode(first) ? (first['id'] ?? first['key']) : null
  return isNode(name) && typeof name['name'] === 'string' ? name['name'] : null
}
