/**
 * Parses a server's address and options as typed in the form.
 *
 * @module
 */

import { isRecord } from '#core/json.ts'
import { resolveOwnUrl, type Target } from './target.ts'

/** The default workspace of this server. */
export const OWN_TARGET: Target = {
  url: resolveOwnUrl('/mcp'),
  era: 'auto',
  headers: {},
  configuration: undefined,
  signIn: false,
}

/** The values of the form. */
export interface TargetForm extends Pick<Target, 'url' | 'era' | 'signIn'> {
  readonly headers: string
  readonly configuration: string
}

/** Parses the form; returns the target, or a sentence about what is invalid. */
export function parseTarget({
  url,
  era,
  signIn,
  headers,
  configuration,
}: TargetForm): Target | string {
  const text = url.trim()
  // A text without a scheme would be a path of this server.
  if (!/^(?:\/|https?:)/i.test(text)) return describeIncomplete(text)
  const full =
    text.startsWith('/w/') && !text.endsWith('/mcp') ? `${text.replace(/\/$/, '')}/mcp` : text
  const address = URL.parse(full, location.origin)
  if (!address || !/^https?:$/.test(address.protocol))
    return `Cannot use ${text}: it is not an http or https URL.`
  const lines = headers.split('\n').filter((line) => line.trim() !== '')
  const pairs = lines.map((line) => /^\s*([\w-]+)\s*:\s*(.*?)\s*$/.exec(line))
  const bad = pairs.findIndex((pair) => pair === null)
  if (bad >= 0) return `Cannot read header line ${bad + 1}: write it as “Name: value”.`
  const named = pairs.flatMap((pair) => (pair?.[1] === undefined ? [] : [[pair[1], pair[2] ?? '']]))
  const config = parseConfiguration(configuration)
  if (config === null) return 'Cannot read the configuration: it is not a JSON object.'
  return {
    url: address.href,
    era,
    signIn,
    headers: Object.fromEntries(named),
    configuration: config.value,
  }
}

const HOST = /^(localhost|127\.0\.0\.1|[^\s/:]+\.[^\s/:]+)(?::\d+)?(?:\/\S*)?$/i

function describeIncomplete(text: string): string {
  const host = HOST.exec(text)?.[1]
  if (host === undefined)
    return `Cannot use ${text}: it is not an http or https URL. Write one such as https://example.com/mcp.`
  const scheme = /^(?:localhost|127)/i.test(host) ? 'http' : 'https'
  return `Cannot use ${text}: the scheme is missing. Write ${scheme}://${text}.`
}

function parseConfiguration(text: string): { readonly value: unknown } | null {
  if (text.trim() === '') return { value: undefined }
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? { value } : null
  } catch {
    return null
  }
}

/** Formats headers for the form, one per line. */
export const formatHeaders = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
