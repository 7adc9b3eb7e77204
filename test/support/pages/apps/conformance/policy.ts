/**
 * What the page may load from where, tried and not believed: an attempt is loaded, forbidden by the
 * policy (the browser reports each), or failed.
 *
 * @module
 */

import { pause } from './outcome.ts'

export type Kind = 'connect' | 'image' | 'script' | 'style' | 'font' | 'media' | 'frame'

export const KINDS: readonly Kind[] = [
  'connect',
  'image',
  'script',
  'style',
  'font',
  'media',
  'frame',
]

export type Reached = 'loaded' | 'forbidden' | 'failed'

/** Every policy that a report has named. */
export const policies = new Set<string>()

const forbidden = new Set<string>()

document.addEventListener('securitypolicyviolation', ({ blockedURI, originalPolicy }) => {
  forbidden.add(blockedURI)
  policies.add(originalPolicy)
})

const PATIENCE_MS = 10_000
const REPORT_MS = 100

let attempts = 0

/** Tries to load something from an origin. */
export async function attempt(kind: Kind, origin: string): Promise<Reached> {
  const url = `${origin}/${FILES[kind]}?attempt=${++attempts}`
  const loaded = await Promise.race([load(kind, url), pause(PATIENCE_MS).then(() => false)])
  await pause(REPORT_MS)
  if (isForbidden(url)) return 'forbidden'
  return loaded ? 'loaded' : 'failed'
}

/** A blocked frame is reported by its origin alone in some browsers. */
function isForbidden(url: string): boolean {
  return (
    forbidden.has(url) ||
    (forbidden.has(new URL(url).origin) && forbidden.delete(new URL(url).origin))
  )
}

const FILES: Readonly<Record<Kind, string>> = {
  connect: 'data.json',
  image: 'pixel.svg',
  script: 'script.js',
  style: 'style.css',
  font: 'font.ttf',
  media: 'sound.wav',
  frame: 'page.html',
}

function load(kind: Kind, url: string): Promise<boolean> {
  if (kind === 'connect') return succeeded(fetch(url))
  if (kind === 'font') return arrived(url, new FontFace('probe', `url(${url})`).load())
  return element(kind, url)
}

const succeeded = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  )

/** Whether something came over the network, also where the browser cannot make sense of it. */
const arrived = async (url: string, work: Promise<unknown>): Promise<boolean> =>
  (await succeeded(work)) || performance.getEntriesByName(url).some(hasStatus)

const hasStatus = (entry: PerformanceEntry) =>
  entry instanceof PerformanceResourceTiming && entry.responseStatus === 200

const MAKERS: Readonly<Record<Exclude<Kind, 'connect' | 'font'>, (url: string) => HTMLElement>> = {
  image: (src) => Object.assign(document.createElement('img'), { src }),
  script: (src) => Object.assign(document.createElement('script'), { src }),
  style: (href) => Object.assign(document.createElement('link'), { rel: 'stylesheet', href }),
  media: (src) => Object.assign(document.createElement('audio'), { preload: 'auto', src }),
  frame: (src) => Object.assign(document.createElement('iframe'), { hidden: true, src }),
}

function element(kind: Exclude<Kind, 'connect' | 'font'>, url: string): Promise<boolean> {
  const made = MAKERS[kind](url)
  return new Promise((resolve) => {
    const end = (loaded: boolean) => () => {
      resolve(loaded)
      setTimeout(() => made.remove(), REPORT_MS * 2)
    }
    made.addEventListener(kind === 'media' ? 'loadedmetadata' : 'load', end(true))
    made.addEventListener('error', end(false))
    document.body.append(made)
  })
}
