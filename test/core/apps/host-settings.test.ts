/** Settings of the app host: bounds, defaults, and what the server permits. */

import { expect, it } from 'vitest'
import {
  HOST_SETTING_NAMES,
  HOST_SETTINGS,
  isHostSetting,
  resolveHostSettings,
} from '#core/apps/host-settings.ts'

const DEFAULTS = { max_apps: 10, app_start_seconds: 30, app_call_seconds: 600 }

it.each<[unknown, unknown, object]>([
  [null, null, {}],
  [{}, {}, {}],
  [{ max_apps: 3 }, {}, { max_apps: 3 }],
  [{ max_apps: 3 }, { max_apps: 2 }, { max_apps: 2 }],
  [{ max_apps: 3 }, { max_apps: 5 }, { max_apps: 3 }],
  [{}, { max_apps: 5 }, { max_apps: 5 }],
  [{}, { max_apps: 20 }, {}],
  [{ app_start_seconds: 600 }, {}, { app_start_seconds: 600 }],
  [{ max_apps: 0 }, { max_apps: 0 }, {}],
  [{ max_apps: 21, app_call_seconds: -1, app_start_seconds: 1.5 }, {}, {}],
  [{ max_apps: '3', app_call_seconds: Infinity, app_start_seconds: NaN }, {}, {}],
  ['x', [1], {}],
  [JSON.parse('{"__proto__":{"max_apps":3}}'), {}, {}],
])('stored as %j, where the server permits %j, they are the defaults but %j', (stored, most, but) =>
  expect(resolveHostSettings(stored, most)).toEqual({ ...DEFAULTS, ...but }),
)

it('the bounds are values, and what is beyond them is none', () => {
  for (const name of HOST_SETTING_NAMES) {
    const { least, most, default: preset } = HOST_SETTINGS[name]
    for (const value of [least, most, preset]) expect(isHostSetting(name, value)).toBe(true)
    for (const value of [least - 1, most + 1]) expect(isHostSetting(name, value)).toBe(false)
  }
})
