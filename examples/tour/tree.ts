/**
 * The files of an exported folder: a tar archive read into memory.
 *
 * The format is blocks of 512 bytes, a header for each entry and then its content. A long name is in
 * the header's second field or in a record of its own (pax); an export uses nothing else.
 *
 * @module
 */

import assert from 'node:assert/strict'

const BLOCK = 512

/** Content by name. Names of folders end in a slash and have no content. */
export type Tree = Map<string, Buffer>

/** Reads an archive. */
export function readTar(archive: Buffer): Tree {
  const tree: Tree = new Map()
  let longName: string | undefined
  for (let at = 0; !isEnd(archive, at);) {
    const header = archive.subarray(at, at + BLOCK)
    const size = parseInt(fieldOf(header, 124, 12), 8)
    const body = archive.subarray(at + BLOCK, at + BLOCK + size)
    assert(hasValidChecksum(header) && body.length === size, `The archive is broken at byte ${at}`)
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
    const isRecord = fieldOf(header, 156, 1) === 'x'
    if (!isRecord) tree.set(longName ?? nameIn(header), body)
    longName = isRecord ? / path=(.*)\n/.exec(body.toString())?.[1] : undefined
  }
  return tree
}

/** Two empty blocks end an archive. */
function isEnd(archive: Buffer, at: number): boolean {
  return archive.subarray(at, at + 2 * BLOCK).every((byte) => byte === 0)
}

function nameIn(header: Buffer): string {
  const prefix = fieldOf(header, 345, 155)
  const name = fieldOf(header, 0, 100)
  return prefix === '' ? name : `${prefix}/${name}`
}

function fieldOf(header: Buffer, at: number, length: number): string {
  return header
    .toString('utf8', at, at + length)
    .split('\0', 1)
    .join()
}

/** Compares the sum of all bytes, counting the sum itself as spaces. */
function hasValidChecksum(header: Buffer): boolean {
  const sum = header.reduce((all, byte, at) => all + (at >= 148 && at < 156 ? 32 : byte), 0)
  return sum === parseInt(fieldOf(header, 148, 8), 8)
}

/** Returns the names of files in the order of their UTF-8 bytes, which is the order of a workspace. */
export function filesIn(tree: Tree): string[] {
  const files = [...tree.keys()].filter((name) => !name.endsWith('/'))
  return files.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
}

/** Returns a file's lines; none if it is not text. */
export function linesOf(tree: Tree, name: string): string[] {
  const bytes = tree.get(name)
  if (!bytes || bytes.includes(0)) return []
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).split('\n')
  } catch {
    return []
  }
}

/** Fails if two trees differ in a name or a byte. */
export function assertSame(one: Tree, other: Tree): void {
  assert.deepEqual([...one.keys()].sort(), [...other.keys()].sort())
  for (const [name, bytes] of one) assert(other.get(name)?.equals(bytes), `${name} differs`)
}
