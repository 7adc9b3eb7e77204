/**
 * Whether a document may use the policy-controlled feature `tools`, as far as a script can see it.
 *
 * A browser that knows the feature answers for itself. Elsewhere the default allowlist is followed:
 * the top page and its own origin may, an opaque origin may not, and a frame of another origin may
 * when its embedder's `allow` attribute says so, which only the embedder can read. SPEC.md tells
 * what stays unseen.
 *
 * @module
 */

import { askEmbedder } from '../frames/requests.ts'
import { peerOf } from '../frames/tree.ts'
import { originOf, ownOrigin } from './origin.ts'

let answer: boolean | Promise<boolean> | undefined

/** https://html.spec.whatwg.org/#allowed-to-use, a promise as long as the embedder is asked */
export function allowedToUse(): boolean | Promise<boolean> {
  return (answer ??= asTheBrowserSays() ?? asTheFramesSay())
}

interface Policy {
  features(): string[]
  allowsFeature(name: string): boolean
}

/** Under which names browsers have had it. */
interface Policies extends Document {
  readonly permissionsPolicy?: Policy
  readonly featurePolicy?: Policy
}

function asTheBrowserSays(): boolean | undefined {
  const { permissionsPolicy, featurePolicy = permissionsPolicy }: Policies = document
  // It calls features that it does not know forbidden.
  return featurePolicy?.features().includes('tools')
    ? featurePolicy.allowsFeature('tools')
    : undefined
}

function asTheFramesSay(): boolean | Promise<boolean> {
  if (ownOrigin() === 'null') return false
  if (window.parent === window) return true
  const { frameElement } = window
  if (frameElement) return (peerOf(window.parent)?.allows() ?? true) && grants(frameElement)
  return askEmbedder().then((granted) => (answer = granted))
}

/** Whether a frame's `allow` attribute lets a document of `origin` use tools. */
export function grants(frame: Element, origin = ownOrigin()): boolean {
  const allow = frame.getAttribute('allow') ?? ''
  const src = URL.parse(frame.getAttribute('src') ?? '', document.baseURI)
  // Without a directive the feature's default counts, with an empty one the frame's own address.
  const [, list = "'self'"] = /(?:^|;)\s*tools(?![^\s;])([^;]*)/.exec(allow) ?? []
  const words = (list.trim() || "'src'")
    .replace('*', origin)
    .replace("'self'", ownOrigin())
    .replace("'src'", `${src?.origin}`)
  return words.split(/\s+/).some((word) => originOf(word) === origin)
}
