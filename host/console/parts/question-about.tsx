/** Shows the subject of a question: who asks, the tool, the server and the call. @module */

import type { Subject } from '../../consent/types.ts'
import type { Asker, Waiting } from '../state/questions.ts'
import { Intent } from './intent.tsx'
import { Json } from './json.tsx'
import { Visible } from './visible.tsx'

/** Props of a dialog for questions of one kind. */
export interface Of<K extends Waiting['kind']> {
  readonly one: Extract<Waiting, { kind: K }>
}

/** Shows the subject of a question, with the call's values marked and its arguments as JSON. */
export function About({ asker, subject }: { readonly asker: Asker; readonly subject: Subject }) {
  const { call, intent, title } = subject
  return (
    <>
      <dl class="facts">
        <dt>Who asks</dt>
        <dd>
          <Visible text={asker.kind === 'app' ? `The app “${asker.name}”` : asker.name} />
        </dd>
        <dt>Tool</dt>
        <dd>
          <Visible text={title} />{' '}
          <code>
            <Visible text={call.tool} />
          </code>
        </dd>
        <dt>Server</dt>
        <dd>
          <Visible text={asker.server} />
        </dd>
      </dl>
      <p class="saying">
        <Intent parts={intent.parts} />
      </p>
      <details>
        <summary>Arguments as they are sent</summary>
        <Json value={call.args} label="Arguments" />
      </details>
    </>
  )
}
