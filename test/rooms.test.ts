/**
 * The walls of the house: who may import whom, as a table, held against every import there is.
 *
 * @module
 */

import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

/** Rooms that a room may import. Between rooms with no arrow there is only a wire. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  worker: ['core'],
  polyfill: ['core'],
  host: ['core', 'polyfill'],
  views: ['core'],
}

/** Packages that a room may import. */
const MAY_USE: Readonly<Record<string, readonly string[]>> = {
  core: [],
  worker: [
    '@cloudflare/workers-oauth-provider',
    '@modelcontextprotocol/server',
    'agents',
    'cloudflare:workers',
    'hono',
    'jose',
    'modern-tar',
    'node:async_hooks',
    'node:crypto',
    'node:zlib',
    're2js',
    'zod',
  ],
  polyfill: ['idb-keyval'],
  host: ['@modelcontextprotocol/client', '@preact/signals', 'preact'],
  views: ['preact'],
}

const IMPORT = /(?:\bfrom |^import |\bimport\()'([^'\n]+)'/gm

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
  return [...text.matchAll(IMPORT)].map((match) => match[1] ?? '')
}

function packageOf(target: string): string {
  return target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/')
}

it.each(Object.keys(MAY_IMPORT))('%s imports only what it may', (room) => {
  const files = globSync(`${room}/**/*.{ts,tsx}`)
  expect(files.length).toBeGreaterThan(0)
  for (const file of files) {
    for (const target of importsOf(file)) {
      const where = `${file} imports ${target}`
      if (target.startsWith('.'))
        expect(join(dirname(file), target).split('/')[0], where).toBe(room)
      else if (target.startsWith('#'))
        expect(MAY_IMPORT[room], where).toContain(target.slice(1).split('/')[0])
      else expect(MAY_USE[room], where).toContain(packageOf(target))
    }
  }
})
