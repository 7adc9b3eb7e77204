/**
 * A push service on this machine, for devices of the test: it takes messages as RFC 8030 says, verifies whose they are as
 * RFC 8292 says, and gives them to their device, which decrypts them with `http_ece`, by an author of the RFCs. What a
 * service must refuse is refused here.
 *
 * @module
 */

import { createECDH, randomBytes, type ECDH } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { decrypt } from 'http_ece'
import { importJWK, jwtVerify, type JWTPayload } from 'jose'
import type { Internet } from '../../../scripts/product.ts'

/** What a device has received. */
export interface Message {
  readonly text: string
  readonly topic: string
  readonly urgency: string
  readonly claims: JWTPayload
}

/** A device with a subscription of this service. */
export interface Subscription {
  readonly endpoint: string
  readonly keys: { readonly p256dh: string; readonly auth: string }
  readonly received: readonly Message[]
  /** The statuses that requests were answered with. */
  readonly statuses: readonly number[]
  /** Ends the subscription, as a person does who withdraws the permission. */
  readonly end: () => void
  /** Answers with another status than 201, for some requests. */
  readonly fail: (times: number, status: number, headers?: Record<string, string>) => void
}

/** The service. */
export interface PushService {
  readonly serve: Internet
  /** Subscribes a device, for messages of the sender that has this key alone. */
  readonly subscribe: (applicationServerKey: string) => Subscription
  /** The hosts to which requests came that are not this service. */
  readonly strays: readonly string[]
}

const HOST = 'push.example'
const MAX_BODY_BYTES = 4_096
const DAY_SECONDS = 24 * 60 * 60

/** A refusal of a request, with its status. */
class Refusal extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

interface Device {
  readonly key: string
  readonly secret: ECDH
  readonly auth: Buffer
  readonly received: Message[]
  readonly statuses: number[]
  isEnded: boolean
  failure: { left: number; status: number; headers: Record<string, string> } | null
}

/** Creates a service without subscriptions. */
export function createPushService(): PushService {
  const devices = new Map<string, Device>()
  const strays: string[] = []
  const serve: Internet = (request, response) => {
    const host = request.headers.host ?? ''
    if (host !== HOST) {
      strays.push(host)
      response.writeHead(502).end()
    } else void answer(request, response, devices.get(request.url ?? ''))
  }
  const subscribe = (key: string) => {
    const path = `/send/${randomBytes(16).toString('base64url')}`
    const device = createDevice(key)
    devices.set(path, device)
    return describe(`https://${HOST}${path}`, device)
  }
  return { serve, subscribe, strays }
}

function createDevice(key: string): Device {
  const secret = createECDH('prime256v1')
  secret.generateKeys()
  const auth = randomBytes(16)
  return { key, secret, auth, received: [], statuses: [], isEnded: false, failure: null }
}

function describe(endpoint: string, device: Device): Subscription {
  const { secret, auth, received, statuses } = device
  return {
    endpoint,
    keys: { p256dh: secret.getPublicKey('base64url'), auth: auth.toString('base64url') },
    received,
    statuses,
    end: () => void (device.isEnded = true),
    fail: (left, status, headers = {}) => void (device.failure = { left, status, headers }),
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  device: Device | undefined,
): Promise<void> {
  const write = (status: number, headers: Record<string, string> = {}, text = '') => {
    device?.statuses.push(status)
    response.writeHead(status, headers).end(text)
  }
  try {
    const body = await buffer(request)
    if (!device) throw new Refusal(404, 'no subscription')
    if (device.isEnded) throw new Refusal(410, 'the subscription has ended')
    const { failure } = device
    if (failure && failure.left-- > 0) return write(failure.status, failure.headers)
    device.received.push(await take(request, body, device))
    write(201, { location: `https://${HOST}/message/${device.received.length}` })
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    write(error instanceof Refusal ? error.status : 400, {}, message)
  }
}

/** RFC 8030, section 5: what a request must have. */
async function take(
  { method, headers }: IncomingMessage,
  body: Buffer,
  device: Device,
): Promise<Message> {
  if (method !== 'POST') throw new Refusal(405, 'no POST')
  if (!/^\d+$/.test(one(headers['ttl']))) throw new Refusal(400, 'no TTL')
  if (body.length > MAX_BODY_BYTES) throw new Refusal(413, 'too large')
  if (headers['content-encoding'] !== 'aes128gcm') throw new Refusal(415, 'another encoding')
  const topic = one(headers['topic'])
  if (!/^[\w-]{1,32}$/.test(topic)) throw new Refusal(400, 'no topic')
  const urgency = one(headers['urgency'])
  if (!/^(?:very-low|low|normal|high)$/.test(urgency)) throw new Refusal(400, 'no urgency')
  const claims = await verify(one(headers.authorization), device.key)
  const { secret: privateKey, auth: authSecret } = device
  const plain = decrypt(body, { version: 'aes128gcm', privateKey, authSecret })
  return { text: plain.toString(), topic, urgency, claims }
}

const one = (value: string | readonly string[] | undefined): string =>
  typeof value === 'string' ? value : ''

/** RFC 8292, sections 2 and 4.2: who sends, and that the device has subscribed with this key. */
async function verify(authorization: string, key: string): Promise<JWTPayload> {
  const [, token = '', k = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? []
  if (k !== key) throw new Refusal(403, 'another key')
  const point = Buffer.from(k, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) =>
    part.toString('base64url'),
  )
  const jwk = await importJWK({ kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, 'ES256')
  const { payload } = await jwtVerify(token, jwk, { audience: `https://${HOST}` }).catch(() => {
    throw new Refusal(403, 'no valid token')
  })
  const { exp = 0, sub = '' } = payload
  if (exp > Date.now() / 1000 + DAY_SECONDS) throw new Refusal(403, 'valid for more than a day')
  if (!/^(?:https:\/\/[\w.-]+|mailto:\S+@\S+)/.test(sub)) throw new Refusal(403, 'no contact')
  return payload
}
