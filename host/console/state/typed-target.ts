/**
 * Parses a server's address and options as typed in the form.
 *
 * @module
 */

import { isRecord } from '#core/json.ts'
import { ownUrl, type Target } from './target.ts'

/** The default workspace of this server. */
export const OWN: Target = {
  url: ownUrl('/mcp'),
  era: 'auto',
  headers: {},
  configuration: undefined,
  signIn: false,
}

/** The values of the form. */
export interface Typed extends Pick<Target, 'url' | 'era' | 'signIn'> {
  readonly headers: string
  readonly configuration: string
}

/** Parses the form; returns the target, or a sentence about what is invalid. */
export function readTarget({ url, era, signIn, headers, configuration }: Typed): Target | string {
  const text = url.trim()
  const full =
    text.startsWith('/w/') && !text.endsWith('/mcp') ? `${text.replace(/\/$/, '')}/mcp` : text
  const address = URL.parse(full, location.origin)
  if (!address || !/^https?:$/.test(address.protocol)) return `${text} is no http or https address.`
  const lines = headers.split('\n').filter((line) => line.trim() !== '')
  const pairs = lines.map((line) => /^\s*([\w-]+)\s*:\s*(.*?)\s*$/.exec(line))
  const bad = pairs.findIndex((pair) => pair === null)
  if (bad >= 0) return `Header line ${bad + 1} is not “Name: value”.`
  const named = pairs.flatMap((pair) => (pair?.[1] === undefined ? [] : [[pair[1], pair[2] ?? '']]))
  const config = configurationOf(configuration)
  if (config === null) return 'The configuration is no JSON object.'
  return {
    url: address.href,
    era,
    signIn,
    headers: Object.fromEntries(named),
    configuration: config.value,
  }
}

function configurationOf(text: string): { readonly value: unknown } | null {
  if (text.trim() === '') return { value: undefined }
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? { value } : null
  } catch {
    return null
  }
}

/** Formats headers for the form, one per line. */
export const linesOf = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
