/**
 * Settings of the console as a host of apps: how many are open at once, and how long an app may take.
 *
 * Flags of the server are the most that a person can set. `test/core/apps/host-settings.test.ts` has the cases.
 *
 * @module
 */

import { isRecord, own, recordOf } from '../json.ts'

/** Each setting: its default, its bounds and its words. Times are in seconds. */
export const HOST_SETTINGS = {
  max_apps: { default: 10, least: 1, most: 20, title: 'Apps open at once' },
  app_start_seconds: { default: 30, least: 1, most: 600, title: 'Seconds for an app to start' },
  app_call_seconds: { default: 600, least: 1, most: 600, title: 'Seconds for a call of an app' },
} as const

/** The name of a setting. */
export type HostSetting = keyof typeof HOST_SETTINGS

/** A value for each setting. */
export type HostSettings = Readonly<Record<HostSetting, number>>

/** The names of all settings. */
export const HOST_SETTING_NAMES: readonly HostSetting[] = Object.keys(HOST_SETTINGS).filter(
  (name): name is HostSetting => Object.hasOwn(HOST_SETTINGS, name),
)

/** Whether a value is one that a setting can have. */
export const isHostSetting = (name: HostSetting, value: unknown): value is number =>
  typeof value === 'number' &&
  Number.isInteger(value) &&
  value >= HOST_SETTINGS[name].least &&
  value <= HOST_SETTINGS[name].most

/** Parses what flags of a server permit; null where a name or a value is none of a setting. */
export function readPermitted(value: unknown): Partial<HostSettings> | null {
  const isValid = ([name, one]: readonly [string, unknown]) =>
    HOST_SETTING_NAMES.some((known) => known === name && isHostSetting(known, one))
  return isRecord(value) && Object.entries(value).every(isValid) ? value : null
}

/** Returns what holds: the stored value or the default, and no more than the server permits. Invalid values are ignored. */
export function resolveHostSettings(stored: unknown, permitted: unknown): HostSettings {
  const valueOf = (name: HostSetting): number => {
    const [wish, most] = [own(recordOf(stored), name), own(recordOf(permitted), name)]
    const value = isHostSetting(name, wish) ? wish : HOST_SETTINGS[name].default
    return isHostSetting(name, most) ? Math.min(value, most) : value
  }
  return {
    max_apps: valueOf('max_apps'),
    app_start_seconds: valueOf('app_start_seconds'),
    app_call_seconds: valueOf('app_call_seconds'),
  }
}
