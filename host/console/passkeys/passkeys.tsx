/**
 * The owner's passkeys: register, name and remove them. `test/pages/console/passkeys.test.ts` does all of it.
 *
 * @module
 */

import type { PasskeyList } from '#core/owner/answers/passkeys.ts'
import { sendAct } from '../owner/send-act.ts'
import { useState } from 'preact/hooks'
import { basePath } from '../connect/workspace.ts'
import { revision } from '../connect/connection.ts'
import { pressByHand, submitByHand } from '../ui/by-hand.ts'
import { TextField } from '../ui/fields.tsx'
import { useLoad } from '../ui/load.ts'
import { Fault, Note } from '../ui/parts.tsx'
import { MAX_LABEL_LENGTH, registerPasskey, toFailure, type Act } from './passkeys-api.ts'
import { PasskeyEntry } from './passkey-entry.tsx'

/** Shows the passkeys, with a form to register one. */
export function Passkeys() {
  const base = basePath.value
  const { value, error, reload } = useLoad(
    (signal) => sendAct(base, 'list_passkeys', { signal }),
    [base, revision.value],
  )
  const [failure, setFailure] = useState<unknown>(null)
  /** Runs an act of the person, and shows the passkeys as they are after it. */
  const act = async (work: () => Promise<unknown>): Promise<boolean> => {
    setFailure(null)
    const failed = await work().then(() => null, toFailure)
    setFailure(failed)
    reload()
    return failed === null
  }
  return (
    <section class="card passkeys" aria-labelledby="passkeys">
      <header>
        <h2 id="passkeys">Passkeys</h2>
      </header>
      {error ? <Fault what="Cannot read the passkeys" error={error} retry={reload} /> : null}
      {value && <Effect list={value} />}
      {failure ? <Fault what="Cannot do this" error={failure} /> : null}
      {value && value.passkeys.length > 0 && (
        <ul class="lines">
          {value.passkeys.map((row) => (
            <PasskeyEntry key={row.id} row={row} list={value} act={act} reload={reload} />
          ))}
        </ul>
      )}
      {value && <Register list={value} act={act} />}
    </section>
  )
}

const WITH: Readonly<Record<PasskeyList['rule'], string>> = {
  none: 'The rules never ask for a passkey: set “Passkey” to confirm or all.',
  confirm:
    'To approve a change at the level “confirm”, or to save rules that let agents change more, you use one of these.',
  all: 'To approve any change, to allow access, or to save rules that let agents change more, you use one of these.',
}

/** Says what passkeys do here and now. */
function Effect({ list: { passkeys, rule, host } }: { readonly list: PasskeyList }) {
  if (passkeys.length === 0)
    return (
      <Note tone={rule === 'none' ? 'plain' : 'info'}>
        There is no passkey, so none is asked for: everyone who can use this browser can approve,
        also an agent that controls it. An agent cannot use a passkey, because the device checks
        that it is you.
      </Note>
    )
  const isElsewhere = passkeys.every((one) => one.host !== host)
  return (
    <>
      <p class="small">{WITH[rule]}</p>
      {isElsewhere && (
        <Note tone="warning">
          These passkeys work only at {passkeys[0]?.host}. Open the console there to approve.
        </Note>
      )}
    </>
  )
}

/** Browsers accept no passkey for an address in numbers. */
const isNumeric = (host: string) => /^[\d.]+$|:/.test(host)

interface RegisterProps {
  readonly list: PasskeyList
  readonly act: Act
}

function Register({ list, act }: RegisterProps) {
  const [label, setLabel] = useState('')
  const [isBusy, setBusy] = useState(false)
  if (isNumeric(list.host))
    return (
      <p class="small">
        To register a passkey, open the console at a host name: at localhost, for example, instead
        of {list.host}.
      </p>
    )
  const register = async () => {
    setBusy(true)
    const isDone = await act(() => registerPasskey(basePath.value, label.trim()))
    setBusy(false)
    if (isDone) setLabel('')
  }
  const isOff = isBusy || label.trim() === ''
  return (
    <form class="passkeyform" onSubmit={submitByHand(() => void (isOff || register()))}>
      <TextField
        label="Name of the new passkey"
        value={label}
        onInput={setLabel}
        placeholder="My phone"
        maxLength={MAX_LABEL_LENGTH}
      />
      <button type="submit" class="button" aria-disabled={isOff} onClick={pressByHand}>
        {isBusy ? 'Waiting for your device…' : 'Register a passkey'}
      </button>
    </form>
  )
}
