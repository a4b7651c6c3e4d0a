// The messages in protobuf of what is asked about members, and of logging in. The client sends them.

import { WireReader, WireWriter } from '@homeostat/protobuf/wire'
import type { Alarm, Member, MemberStatus } from './contract.ts'

const ALARMS: Readonly<Record<number, Alarm['type']>> = { 1: 'NOSPACE', 2: 'CORRUPT' }

export function encodeEmpty(): WireWriter {
  return new WireWriter(16)
}

export function encodeAuthenticate(user: string, password: string): WireWriter {
  const writer = new WireWriter(128)
  writer.string(2, password)
  writer.string(1, user)
  return writer
}

export function decodeToken(bytes: Buffer): string {
  let token = ''
  eachField(new WireReader(bytes), (field, reader) => {
    if (field !== 2) return false
    token = reader.string()
    return true
  })
  return token
}

export function decodeStatus(bytes: Buffer, endpoint: string): MemberStatus {
  const errors: string[] = []
  const status = {
    version: '',
    memberId: '0',
    leaderId: '0',
    learner: false,
    dbSize: 0,
    dbSizeInUse: 0,
    dbSizeQuota: 0,
  }
  eachField(new WireReader(bytes), (field, reader) => {
    if (field === 1) status.memberId = readMemberOfHeader(reader)
    else if (field === 2) status.version = reader.string()
    else if (field === 3) status.dbSize = Number(reader.integer())
    else if (field === 4) status.leaderId = readId(reader)
    else if (field === 8) errors.push(reader.string())
    else if (field === 9) status.dbSizeInUse = Number(reader.integer())
    else if (field === 10) status.learner = reader.bool()
    else if (field === 12) status.dbSizeQuota = Number(reader.integer())
    else return false
    return true
  })
  return { endpoint, ...status, errors }
}

export function decodeAlarms(bytes: Buffer): Alarm[] {
  const alarms: Alarm[] = []
  eachField(new WireReader(bytes), (field, reader) => {
    if (field !== 2) return false
    let memberId = '0'
    let type = 0
    inside(reader, (inner) => {
      if (inner === 1) memberId = readId(reader)
      else if (inner === 2) type = reader.int32()
      else return false
      return true
    })
    alarms.push({ memberId, type: ALARMS[type] ?? 'other' })
    return true
  })
  return alarms
}

export function decodeMembers(bytes: Buffer): Member[] {
  const members: Member[] = []
  eachField(new WireReader(bytes), (field, reader) => {
    if (field !== 2) return false
    const member = { id: '0', name: '', clientUrls: [] as string[], learner: false }
    inside(reader, (inner) => {
      if (inner === 1) member.id = readId(reader)
      else if (inner === 2) member.name = reader.string()
      else if (inner === 4) member.clientUrls.push(reader.string())
      else if (inner === 5) member.learner = reader.bool()
      else return false
      return true
    })
    members.push(member)
    return true
  })
  return members
}

function readMemberOfHeader(reader: WireReader): string {
  let id = '0'
  inside(reader, (field) => {
    if (field !== 2) return false
    id = readId(reader)
    return true
  })
  return id
}

/** Ids have 64 bits without a sign; texts keep them whole. */
function readId(reader: WireReader): string {
  return BigInt.asUintN(64, BigInt(reader.integer())).toString()
}

/** Reads all fields of the message that is the field read last. */
function inside(reader: WireReader, read: (field: number) => boolean): void {
  const outer = reader.enter()
  eachField(reader, read)
  reader.leave(outer)
}

/** Fields for which `read` says no are skipped. */
function eachField(reader: WireReader, read: (field: number, reader: WireReader) => boolean): void {
  for (let field = reader.field(); field !== 0; field = reader.field()) if (!read(field, reader)) reader.skip()
}
