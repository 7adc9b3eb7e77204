/** Shows who is signed in, and the banner for users who no longer are. @module */

import { useEffect } from 'preact/hooks'
import { link } from '../state/link.ts'
import { hasOwner, isSignedOut, lookAgain, signInLink, signOut } from '../state/person.ts'
import { route } from '../state/route.ts'
import { workspace } from '../state/workspace.ts'
import { Icon } from './icons.tsx'
import { Note } from './parts.tsx'

/** Shows the owner with a sign-out button, or that this server is open to the local machine. */
export function WhoIsHere() {
  if (hasOwner.value === null || isSignedOut.value) return null
  if (hasOwner.value) return <Owner />
  // For another server this text would be wrong.
  return workspace.value === null ? null : (
    <p
      class="whois"
      title="No secret is set, so nobody has to sign in, and only this machine is let in"
    >
      <Icon name="screen" /> Open to this machine alone
    </p>
  )
}

const Owner = () => (
  <p class="whois">
    <Icon name="lock" /> Signed in as the owner
    <button type="button" class="button quiet small" onClick={() => void signOut()}>
      Sign out
    </button>
  </p>
)

/** Shows the banner with ways to sign in, once the server has returned 401. */
export function SignedOut() {
  // The sign-in link depends on the current page.
  void route.value
  const isOut = isSignedOut.value
  useEffect(() => {
    if (!isOut) return
    addEventListener('focus', lookAgain)
    return () => removeEventListener('focus', lookAgain)
  }, [isOut])
  if (!isOut) return null
  return (
    <div class="health">
      <Note tone="warning" role="alert" title="You are no longer signed in.">
        Signing in lasts for a day, and ends when you sign out in another tab.{' '}
        {link.value.state === 'ready' && 'What you see stays, and may be old.'}
        <div class="row">
          <a class="button small" href={signInLink()}>
            Sign in again
          </a>
          <a class="button small quiet" href={signInLink()} target="_blank" rel="noopener">
            In another tab, to keep what you typed
          </a>
          <button type="button" class="button small quiet" onClick={lookAgain}>
            Try again
          </button>
        </div>
      </Note>
    </div>
  )
}
