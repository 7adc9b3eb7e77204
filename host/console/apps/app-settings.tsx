/**
 * Settings of the app host: kept in this browser, and no more than the server permits. An open app keeps the times with
 * which it was opened. `test/pages/console/app-settings.test.ts` covers it.
 *
 * @module
 */

import { signal } from '@preact/signals'
import {
  HOST_SETTING_NAMES,
  HOST_SETTINGS,
  isHostSetting,
  resolveHostSettings,
  type HostSetting,
} from '#core/apps/host-settings.ts'
import { recordOf } from '#core/json.ts'
import { useState } from 'preact/hooks'
import { readStored, writeStored } from '../ui/storage.ts'
import { TextField } from '../ui/fields.tsx'

const STORED = 'app-host'

const stored = signal(recordOf(readStored(STORED)))

/** Returns what the server permits at most, which its page says. */
function readPermitted(): unknown {
  const meta = document.querySelector<HTMLMetaElement>('meta[name=edgewise-app-host]')
  try {
    return JSON.parse(meta?.content || '{}')
  } catch {
    return {}
  }
}

/** Returns the settings that hold. */
export const appSettings = () => resolveHostSettings(stored.value, readPermitted())

/** Returns the most that a setting can be here. */
const mostOf = (name: HostSetting) =>
  resolveHostSettings({ [name]: HOST_SETTINGS[name].most }, readPermitted())[name]

export const AppSettings = () => (
  <details class="card" data-testid="app-settings">
    <summary>Settings of apps</summary>
    <div class="stack">
      {HOST_SETTING_NAMES.map((name) => (
        <Setting key={name} name={name} />
      ))}
    </div>
  </details>
)

/** Saves a value as soon as it is valid. */
function Setting({ name }: { readonly name: HostSetting }) {
  const { title, least } = HOST_SETTINGS[name]
  const most = mostOf(name)
  const [text, setText] = useState(String(appSettings()[name]))
  const isValid = (given: string) =>
    /^\d+$/.test(given) && isHostSetting(name, Number(given)) && Number(given) <= most
  const change = (given: string) => {
    setText(given)
    if (!isValid(given)) return
    stored.value = { ...stored.value, [name]: Number(given) }
    writeStored(STORED, stored.value)
  }
  const range = `From ${least} to ${most}.`
  return (
    <TextField
      label={title}
      value={text}
      onInput={change}
      help={range}
      problem={isValid(text) ? null : `Not saved. Enter a number from ${least} to ${most}.`}
      testId={name}
    />
  )
}
