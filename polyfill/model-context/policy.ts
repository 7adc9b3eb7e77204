/**
 * Policy-controlled feature `tools`: whether a document may use it, as far as a script can
 * determine.
 *
 * A browser that knows the feature reports it. Elsewhere the default allowlist applies: allowed in
 * the top document and its origin, forbidden in a frame with an opaque origin, and in a frame of
 * another origin allowed by the embedder's `allow` attribute, which only the embedder can read.
 * SPEC.md lists what scripts cannot see.
 *
 * @module
 */

import { askEmbedder } from '../frames/requests.ts'
import { peerOf } from '../frames/tree.ts'
import { originOf, OWN_ORIGIN } from './origin.ts'

let answer: boolean | Promise<boolean> | undefined

/**
 * Reports whether this document may use tools; a promise while the embedder is asked.
 * https://html.spec.whatwg.org/#allowed-to-use
 */
export function allowedToUse(): boolean | Promise<boolean> {
  return (answer ??= readBrowserPolicy() ?? readFramePolicy())
}

interface Policy {
  features(): string[]
  allowsFeature(name: string): boolean
}

/** The property names that browsers have used. */
interface Policies extends Document {
  readonly permissionsPolicy?: Policy
  readonly featurePolicy?: Policy
}

function readBrowserPolicy(): boolean | undefined {
  const { permissionsPolicy, featurePolicy = permissionsPolicy }: Policies = document
  // `allowsFeature` is false for unknown features as well.
  return featurePolicy?.features().includes('tools')
    ? featurePolicy.allowsFeature('tools')
    : undefined
}

function readFramePolicy(): boolean | Promise<boolean> {
  if (window.parent === window) return true
  if (OWN_ORIGIN === 'null') return false
  const { frameElement } = window
  if (frameElement) return (peerOf(window.parent)?.allows() ?? true) && grants(frameElement)
  return askEmbedder().then((granted) => (answer = granted))
}

/** Reports whether a frame's `allow` attribute permits tools for a document of `origin`. */
export function grants(frame: Element, origin = OWN_ORIGIN): boolean {
  const allow = frame.getAttribute('allow') ?? ''
  const src = URL.parse(frame.getAttribute('src') ?? '', document.baseURI)
  // Without a directive the default `'self'` applies; an empty one means the origin of `src`.
  const [, list = "'self'"] = /(?:^|;)\s*tools(?![^\s;])([^;]*)/.exec(allow) ?? []
  const words = (list.trim() || "'src'")
    .replace('*', origin)
    .replace("'self'", OWN_ORIGIN)
    .replace("'src'", `${src?.origin}`)
  return words.split(/\s+/).some((word) => originOf(word) === origin)
}
