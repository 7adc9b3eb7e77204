/** Root component of the review: renders the session after every change of it. @module */

import { useLayoutEffect, useReducer } from 'preact/hooks'
import type { Bridge } from '../bridge.ts'
import { Message } from './message.tsx'
import { Review } from './review.tsx'
import type { Session } from './session.ts'

/** Props of {@link App}. */
export interface AppProps {
  readonly session: Session
  readonly bridge: Bridge
}

/** Renders the change, or a message while there is none. */
export function App({ session, bridge }: AppProps) {
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  useLayoutEffect(() => session.watch(() => redraw(undefined)), [session])
  const { stage } = session
  if (stage.kind !== 'change') return <Message stage={stage} />
  return <Review shown={stage} session={session} bridge={bridge} />
}
