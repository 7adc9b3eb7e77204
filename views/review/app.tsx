/** The page: what the session shows, drawn again whenever that changes. @module */

import { useLayoutEffect, useReducer } from 'preact/hooks'
import type { Bridge } from '../bridge.ts'
import { Message } from './message.tsx'
import { Review } from './review.tsx'
import type { Session } from './session.ts'

export interface AppProps {
  readonly session: Session
  readonly bridge: Bridge
}

export function App({ session, bridge }: AppProps) {
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  useLayoutEffect(() => session.watch(() => redraw(undefined)), [session])
  const { stage } = session
  if (stage.kind !== 'change') return <Message stage={stage} />
  return <Review shown={stage} session={session} bridge={bridge} />
}
