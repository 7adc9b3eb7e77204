/** Chromium's virtual authenticator, as a phone or laptop with user verification has it. @module */

import type { Page } from 'playwright'

/** An authenticator of a test. */
export interface VirtualAuthenticator {
  readonly setVerified: (isVerified: boolean) => Promise<void>
  /** Forgets all passkeys, as a lost device. */
  readonly lose: () => Promise<void>
}

/** Adds one to a page. It answers at once, as its user would; `setVerified(false)` makes it fail to know the user. */
export async function addAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    async setVerified(isUserVerified) {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
    async lose() {
      await session.send('WebAuthn.clearCredentials', { authenticatorId })
    },
  }
}
