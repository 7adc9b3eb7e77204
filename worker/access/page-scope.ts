/**
 * What a page link shows: the one place that decides it, for pages, images and downloads, pinned and live.
 *
 * The owner names a file or a folder, and that is shown although rules may keep it from agents: they restrict agents, not
 * the owner. But a person who shares a folder does not look at each file in it, so below it nothing is shown that is hidden by its
 * name, that has a name in which people keep secrets, or that the rules deny. Drafts are never shown, because a page reads
 * the workspace without them. `test/worker/page-links/scope.test.ts` has the cases.
 *
 * @module
 */

import type { Config } from '#core/config.ts'
import { ancestorsOf, isWithin, nameOf, type StorePath } from '#core/path.ts'
import { boundsOf, isDenied, rulesOf } from '#core/policy.ts'

/** What the owner has named. */
export interface PageScope {
  readonly path: StorePath
  readonly kind: 'file' | 'folder'
}

/** Creates the test of whether a link with a scope shows a path, by the rules of now. */
export function createPageFilter(
  { path: root, kind }: PageScope,
  config: Config,
): (path: StorePath) => boolean {
  const layers = [rulesOf(config), boundsOf(config)].filter((layer) => layer !== null)
  const isHidden = (path: StorePath) =>
    nameOf(path).startsWith('.') ||
    mayHaveSecrets(path) ||
    layers.some((layer) => isDenied(layer, path))
  return (path) => {
    if (path === root) return true
    if (kind === 'file' || !isWithin(path, root)) return false
    const places = [...ancestorsOf(path), path].filter((one) => one !== root && isWithin(one, root))
    return !places.some(isHidden)
  }
}

/** Names of files in which people keep secrets. */
const SECRET =
  /^(?:\.env(?:[.~_-].*)?|\.envrc|\.netrc|\.npmrc|\.pypirc|\.pgpass|\.htpasswd|id_(?:rsa|dsa|ecdsa|ed25519)(?:\..*)?|.*\.p8|(?:.*[._-])?api[_-]?keys?(?:[._-].*)?|.*\.(?:pem|key|p12|pfx|jks|keystore|kdbx)|(?:.*[._-])?(?:secrets?|credentials?|passwords?|tokens?)(?:[._-].*)?)$/i

/** Places in which people keep secrets. */
const SECRET_PLACE = /\/\.(?:ssh|aws|gnupg|kube)\//i

/** Whether a path has a name, or is at a place, in which people keep secrets. */
export const mayHaveSecrets = (path: StorePath): boolean =>
  SECRET.test(nameOf(path)) || SECRET_PLACE.test(path)
