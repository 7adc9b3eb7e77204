/** Shows who is signed in, and the banner for users who no longer are. @module */

import { useEffect } from 'preact/hooks'
import { connectionStatus } from '../connect/connection.ts'
import { hasOwner, checkSignIn, buildSignInUrl, signOut } from '../connect/owner.ts'
import { isSignedOut } from '../connect/http.ts'
import { route } from './route.ts'
import { workspace } from '../connect/workspace.ts'
import { Icon } from '../ui/icons.tsx'
import { Note } from '../ui/parts.tsx'

/** Shows the owner with a sign-out button, or that this server is open to the local machine. */
export function SignInState() {
  if (hasOwner.value === null || isSignedOut.value) return null
  if (hasOwner.value) return <Owner />
  // For another server this text would be wrong.
  return workspace.value === null ? null : (
    <p
      class="whois"
      title="No owner secret is set, so only requests from this machine are accepted"
    >
      <Icon name="screen" /> Open to this machine only
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
export function SignedOutBanner() {
  // The sign-in link depends on the current page.
  void route.value
  const isOut = isSignedOut.value
  useEffect(() => {
    if (!isOut) return
    addEventListener('focus', checkSignIn)
    return () => removeEventListener('focus', checkSignIn)
  }, [isOut])
  if (!isOut) return null
  return (
    <div class="health">
      <Note tone="warning" role="alert" title="You are no longer signed in.">
        A sign-in lasts for a day, and ends when you sign out in another tab.{' '}
        {connectionStatus.value.state === 'ready' && 'What you see may be outdated.'}
        <div class="row">
          <a class="button small" href={buildSignInUrl()}>
            Sign in again
          </a>
          <a class="button small quiet" href={buildSignInUrl()} target="_blank" rel="noopener">
            Open the sign-in page in another tab to keep your input
          </a>
          <button type="button" class="button small quiet" onClick={checkSignIn}>
            Try again
          </button>
        </div>
      </Note>
    </div>
  )
}
