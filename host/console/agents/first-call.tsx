/** Tells whether an agent has called: waits for the first call, then names who called last. @module */

import { useEffect, useState } from 'preact/hooks'
import { ownBase } from '../connect/workspace.ts'
import { ClaimedName } from '../ui/claimed-name.tsx'
import { When } from '../ui/parts.tsx'
import { loadAgents, type CalledClient } from './has-agent.ts'

const POLL_MS = 2_000

/** Shows the state, and looks again every two seconds while the page is visible. */
export function FirstCall() {
  const base = ownBase.value
  const [agents, setAgents] = useState<readonly CalledClient[]>([])
  useEffect(() => {
    if (base === null) return
    const controller = new AbortController()
    const look = () => {
      if (document.visibilityState !== 'visible') return
      loadAgents(base, controller.signal).then(setAgents, () => {})
    }
    look()
    const timer = setInterval(look, POLL_MS)
    return () => {
      clearInterval(timer)
      controller.abort()
    }
  }, [base])
  if (base === null) return null
  const [last] = agents
  return (
    <section class={`card firstcall ${last ? 'called' : ''}`} aria-label="State">
      <span class={`dot ${last ? 'ready' : 'connecting'}`} aria-hidden="true" />
      <p role="status">{last ? <Called agent={last} /> : 'Waiting for the first call…'}</p>
    </section>
  )
}

const AgentName = ({ name }: { readonly name: string | null }) =>
  name === null ? <>an agent without a name</> : <ClaimedName name={name} />

const Called = ({ agent: { client, label, at } }: { readonly agent: CalledClient }) => (
  <>
    Connected: <AgentName name={client ?? label} /> called <When at={at} />.
  </>
)
