/**
 * Draws a name that another party has chosen: of an agent, a client or a session. It is quoted and drawn apart, so that
 * an agent that is named "You" is not taken for the person. Names of the console itself are plain words.
 *
 * @module
 */

import { nameActor, type Actor } from '../activity/changes.ts'
import { Quoted } from './path.tsx'
import { Visible } from './visible.tsx'

/** Shows a claimed name. */
export const ClaimedName = ({ name }: { readonly name: string }) => (
  <q class="claimed" title="A name that an agent or a client has, which proves nothing">
    <Visible text={name} />
  </q>
)

/** Shows a sentence that an agent wrote about its own work. */
export const ClaimedText = ({ text }: { readonly text: string }) => (
  <q class="claimed" title="Written by an agent, which proves nothing">
    <Quoted text={text} />
  </q>
)

/** Shows the address of the owner. Cloudflare Access has proved it, and it is still text that others wrote. */
const ProvenAddress = ({ address }: { readonly address: string }) => (
  <bdi title="The address that Cloudflare Access has proved">
    <Visible text={address} />
  </bdi>
)

/** Shows who made something: the person in plain words or by a proven address, all others by a claimed name. */
export function ActorName({ actor }: { readonly actor: Actor }) {
  const { name, isClaimed } = nameActor(actor)
  if (actor.email !== undefined) return <ProvenAddress address={name} />
  if (!isClaimed) return <>{name}</>
  const { client } = actor
  return (
    <>
      <ClaimedName name={name} />
      {typeof client === 'string' && (
        <>
          {' '}
          (client <ClaimedName name={client} />)
        </>
      )}
    </>
  )
}
