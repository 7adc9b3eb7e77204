/**
 * An elicitation that an app of the server shows (SEP-3118, a draft). The app only fills in the answer:
 * the console checks it against the schema and shows it, and a person sends it. Whatever fails leads to
 * the console's own form.
 *
 * @module
 */

import { useRef, useState } from 'preact/hooks'
import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'
import { formModel } from '../../forms/model.ts'
import type { Elicitation } from '../../mcp/types.ts'
import type { McpView } from '../../view/element.ts'
import { View } from '../apps/view.tsx'
import { Json } from '../ui/json.tsx'
import { Modal } from '../ui/modal.tsx'
import { Note } from '../ui/parts.tsx'
import { Visible } from '../ui/visible.tsx'
import { NoButton, OtherQuestions, YesButton, type QuestionProps } from './dialog.tsx'

/**
 * Longest answer, in UTF-16 code units of JSON. `Json` shows 60,000, and escapes a hidden character with
 * six, so it shows all of this.
 */
const MAX_LENGTH = 10_000

interface Props extends QuestionProps<'server'> {
  /** The resource of the app. */
  readonly uri: string
  /** Called with the reason if the console's own form has to be used; empty if the person wants it. */
  readonly onFail: (reason: string) => void
}

/** What the app has answered; content is null if it declines. */
interface AppAnswer {
  readonly content: JsonRecord | null
}

/** Shows the app, then its answer. */
export function AppQuestion({ one: { server, question, answer }, uri, onFail }: Props) {
  const [given, setGiven] = useState<AppAnswer | null>(null)
  const content = given?.content ?? null
  return (
    <Modal
      wide
      title={<>{server} asks you for information</>}
      intro={<Visible text={question.message} />}
      asksToDiscard={content ? 'always' : undefined}
      onClose={() => answer({ action: 'cancel' })}
      foot={
        <>
          <OtherQuestions />
          <button type="button" class="button quiet" onClick={() => onFail('')}>
            Use the form instead
          </button>
          <NoButton onNo={() => answer({ action: 'decline' })}>Decline</NoButton>
          <YesButton
            key={given ? 'given' : 'waiting'}
            disabled={!content}
            onYes={() => content && answer({ action: 'accept', content })}
          >
            Send the answer
          </YesButton>
        </>
      }
    >
      {given ? (
        <Given answer={given} />
      ) : (
        <App uri={uri} question={question} onAnswer={setGiven} onFail={onFail} />
      )}
    </Modal>
  )
}

const Given = ({ answer: { content } }: { readonly answer: AppAnswer }) =>
  content ? (
    <>
      <p>The app has filled in this answer. It is sent when you press Send the answer.</p>
      <Json value={content} label="Answer of the app" />
    </>
  ) : (
    <Note>The app proposes to decline. Press Decline, or use the form.</Note>
  )

interface AppProps {
  readonly uri: string
  readonly question: Elicitation
  readonly onAnswer: (answer: AppAnswer) => void
  readonly onFail: (reason: string) => void
}

function App({ uri, question, onAnswer, onFail }: AppProps) {
  const view = useRef<McpView | null>(null)
  const isAsked = useRef(false)
  const ask = async (element: McpView) => {
    try {
      onAnswer(
        readAnswer(await element.callApp('elicitation/create', toParams(question)), question),
      )
    } catch (error) {
      // The dialog may be closed by now, or show the form.
      if (view.current) onFail(`The app could not be used: ${describe(error)}.`)
    }
  }
  const handleEvent = (event: CustomEvent) => {
    const element = view.current
    if (event.type !== 'mcp-state' || !element) return
    if (element.state === 'failed') onFail('The app could not be used: it does not start.')
    if (element.state !== 'ready' || isAsked.current) return
    isAsked.current = true
    void ask(element)
  }
  return (
    <View
      uri={uri}
      name={uri}
      elicits
      modes={[]}
      onEvent={handleEvent}
      onElement={(element) => (view.current = element)}
    />
  )
}

const describe = (error: unknown) => (error instanceof Error ? error.message : 'unknown error')

const toParams = ({ message, schema, app }: Elicitation): JsonRecord => ({
  mode: 'form',
  message,
  requestedSchema: schema ?? {},
  _meta: { ui: { resourceUri: app } },
})

/**
 * Reads the answer of the app, which is untrusted input.
 *
 * @throws {Error} If it is no answer, is too long to be shown as a whole, or does not fit the schema.
 */
function readAnswer(value: unknown, { schema }: Elicitation): AppAnswer {
  const { action, content } = recordOf(value)
  if (action === 'decline' || action === 'cancel') return { content: null }
  if (action !== 'accept' || !isRecord(content)) throw new Error('it gave no answer')
  if (JSON.stringify(content, null, 2).length > MAX_LENGTH)
    throw new Error('its answer is too long to be shown')
  const [problem] = schema ? formModel(schema, content).problems : []
  if (problem) throw new Error(`it gave an invalid answer (${problem.pointer}: ${problem.message})`)
  return { content }
}
