/**
 * The dialog that lets changes like those of a draft pass for a time. The server builds what is shown, and the button
 * sends its digest. `test/host/console/trust.test.tsx` tests it.
 *
 * @module
 */

import { joinWords } from '#core/join-words.ts'
import { RISKS, type DraftContents, type Risk } from '#core/owner/answers/drafts.ts'
import { describeKind, type ShownTrust } from '#core/owner/answers/trust.ts'
import { useState } from 'preact/hooks'
import { revision } from '../connect/connection.ts'
import { basePath } from '../connect/workspace.ts'
import { sendAct } from '../owner/send-act.ts'
import { ClaimedName } from '../ui/claimed-name.tsx'
import { DecisionButton } from '../ui/decision-button.tsx'
import { Checkbox, TextField } from '../ui/fields.tsx'
import { formatUntil } from '../ui/format.ts'
import { useLoad } from '../ui/load.ts'
import { Modal } from '../ui/modal.tsx'
import { Fault } from '../ui/parts.tsx'
import { Path } from '../ui/path.tsx'
import { Segments } from '../ui/segments.tsx'
import { showToast } from '../ui/toasts.tsx'
import { folderOf, timeOf, TIMES, toolsOf, type TimeChoice } from './suggest.ts'

interface Props {
  readonly contents: Pick<DraftContents, 'session' | 'shared' | 'ended' | 'changes' | 'files'>
}

/** Shows the button that opens the dialog, or why there is none. */
export function LetPass({ contents }: Props) {
  const [isOpen, setOpen] = useState(false)
  const { session, shared, ended } = contents
  if (shared || session === null)
    return (
      <p class="small faint">
        Each change needs your decision: clients without a session of their own may be several.
      </p>
    )
  if (ended) return null
  return (
    <p>
      <button type="button" class="button quiet small" onClick={() => setOpen(true)}>
        Let similar changes pass…
      </button>
      {isOpen && (
        <TrustDialog session={session} contents={contents} onClose={() => setOpen(false)} />
      )}
    </p>
  )
}

interface DialogProps extends Props {
  readonly session: string
  readonly onClose: () => void
}

/** What the form holds. */
interface Choice {
  readonly folder: string
  readonly tools: readonly string[]
  readonly kinds: readonly Risk[]
  readonly time: TimeChoice
  readonly until: number
}

function TrustDialog({ session, contents, onClose }: DialogProps) {
  const used = toolsOf(contents)
  const [choice, setChoice] = useState<Choice>(() => ({
    ...{ folder: folderOf(contents), tools: used, kinds: [], time: 'hour' },
    until: timeOf('hour', Date.now()),
  }))
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const { shown, fault, reload } = useShown(session, choice)
  const change = (part: Partial<Choice>) => setChoice((before) => ({ ...before, ...part }))
  const give = async () => {
    if (!shown || isBusy) return
    setBusy(true)
    try {
      const { label: _label, client: _client, ...body } = shown
      await sendAct(basePath.value, 'give_trust', { body })
      revision.value++
      showToast(`Such changes pass until ${formatUntil(shown.until)}`)
      onClose()
    } catch (problem) {
      setError(problem)
      setBusy(false)
      // It is not what was shown, so the next press decides on what is shown then.
      reload()
    }
  }
  return (
    <Modal
      title="Let similar changes pass"
      intro="Changes of this session that your rules hold for review are applied at once. You find them in the list of applied changes."
      asksToDiscard={isBusy ? undefined : 'if-edited'}
      onClose={onClose}
      foot={
        <>
          <button type="button" class="button" aria-disabled={isBusy} onClick={onClose}>
            Cancel
          </button>
          <DecisionButton
            shown={shown?.digest ?? null}
            look="primary"
            isOff={isBusy || shown === null}
            named={{ 'data-give-trust': true }}
            onDecide={() => void give()}
          >
            Let them pass
          </DecisionButton>
        </>
      }
    >
      <Fields choice={choice} used={used} onChange={change} />
      <Sentence shown={shown} />
      {(error ?? fault) ? <Fault what="Cannot let changes pass" error={error ?? fault} /> : null}
    </Modal>
  )
}

/** Has the server show a choice; null until it has answered for this one. */
function useShown(session: string, { folder, tools, kinds, until }: Choice) {
  const base = basePath.value
  const body = { session, folder, tools, kinds, until }
  const key = JSON.stringify(body)
  const { value, error, reload } = useLoad(
    async (signal) => ({
      key,
      shown: await sendAct(base, 'preview_trust', { body, signal }),
    }),
    [base, key],
  )
  return {
    shown: value?.key === key && tools.length > 0 ? value.shown : null,
    fault: error,
    reload,
  }
}

interface FieldsProps {
  readonly choice: Choice
  /** The tools that the draft used. */
  readonly used: readonly string[]
  readonly onChange: (part: Partial<Choice>) => void
}

function Fields({ choice: { folder, tools, kinds, time }, used, onChange }: FieldsProps) {
  return (
    <>
      <TextField
        label="Folder"
        isCode
        help="Every path of a change is in it. A folder above permits more, one below less."
        value={folder}
        onInput={(text) => onChange({ folder: text })}
      />
      <Boxes
        legend="Tools"
        items={used.map((tool) => [tool, tool] as const)}
        chosen={tools}
        onChange={(next) => onChange({ tools: next })}
      />
      <Boxes
        legend="Also let pass"
        items={RISKS.map((kind) => [kind, describeKind(kind)] as const)}
        chosen={kinds}
        onChange={(next) => onChange({ kinds: next })}
      />
      <div class="field">
        <span class="label">Until</span>
        <Segments
          label="Until"
          value={time}
          options={TIMES}
          onChange={(next) => onChange({ time: next, until: timeOf(next, Date.now()) })}
        />
      </div>
    </>
  )
}

interface BoxesProps<T extends string> {
  readonly legend: string
  readonly items: readonly (readonly [T, string])[]
  readonly chosen: readonly T[]
  readonly onChange: (chosen: readonly T[]) => void
}

/** Shows one checkbox for each item. */
function Boxes<T extends string>({ legend, items, chosen, onChange }: BoxesProps<T>) {
  const toggle = (item: T, isOn: boolean) =>
    onChange(isOn ? [...chosen, item] : chosen.filter((other) => other !== item))
  return (
    <fieldset class="field">
      <legend class="label">{legend}</legend>
      {items.map(([item, text]) => (
        <Checkbox
          key={item}
          checked={chosen.includes(item)}
          onChange={(isOn) => toggle(item, isOn)}
        >
          {text}
        </Checkbox>
      ))}
    </fieldset>
  )
}

/** Says what will happen, from the answer of the server. Its room is kept until then. */
function Sentence({ shown }: { readonly shown: ShownTrust | null }) {
  return (
    <p class="trustsentence" role="status">
      {shown && (
        <>
          Until {formatUntil(shown.until)}, changes of <TrustActor trust={shown} /> by{' '}
          {joinWords(shown.tools)} in <Path text={shown.folder} /> are applied without your decision
          {shown.kinds.length > 0 && `, with ${joinWords(shown.kinds.map(describeKind))}`}.
        </>
      )}
    </p>
  )
}

/** Names the session of trust, which is a claim. */
export const TrustActor = ({
  trust: { label, client },
}: {
  readonly trust: Pick<ShownTrust, 'label' | 'client'>
}) => (
  <>
    <ClaimedName name={label} />
    {client !== null && (
      <>
        {' '}
        (client <ClaimedName name={client} />)
      </>
    )}
  </>
)
