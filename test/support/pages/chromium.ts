/**
 * Which Chromium the page tests have, and what it can do. WebMCP of its own and `Connection-Allowlist` are
 * young: an older Chromium has none of them, or others than the drafts say, so what needs them is skipped.
 *
 * @module
 */

import { execFileSync } from 'node:child_process'

export const EXECUTABLE = process.env['CHROMIUM'] ?? '/usr/bin/chromium'

/** The first version whose WebMCP and response headers are those of the drafts that the tests hold it to. */
const FIRST = 156

const version = execFileSync(EXECUTABLE, ['--version'], { encoding: 'utf8' })
/** What needs more is skipped with it. */
export const isYoung = Number(/ (\d+)\./.exec(version)?.[1] ?? 0) >= FIRST

/** Arguments that turn the browser's own WebMCP on, where it has the one that is meant. */
export const NATIVE = [`--${isYoung ? 'enable' : 'disable'}-features=WebMCP`]
export const NOT_NATIVE = ['--disable-features=WebMCP']

/** The ways in which this browser can be tried. */
export const ways = <T extends { readonly args: readonly string[] }>(all: readonly T[]): T[] =>
  all.filter(({ args }) => isYoung || args !== NATIVE)
