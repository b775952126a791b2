/** The venue's texts of a code when the cause is its own. */
const TEXTS: Readonly<Record<number, string>> = {
  10000: 'Server Timeout',
  10001: 'Request parameter error.',
  10002: 'The request time exceeds the time window range.',
  10003: 'API key is invalid.',
  10004: 'Error sign, please check your signature generation algorithm.',
  10005: 'Permission denied, please check your API key permissions.',
  10006: 'Too many visits. Exceeded the API Rate Limit.',
  10010: "Unmatched IP, please check your API key's bound IP addresses.",
  10014: 'Invalid duplicate request.',
  10016: 'Internal System Error.',
  10017: 'Route not found.',
  10018: 'Exceeded the IP Rate Limit: access too frequent.',
  10019: 'ws trade service is restarting',
  10429: 'System level frequency protection',
  33004: 'Your api key has expired.',
  110001: 'order not exists or too late to cancel',
  110004: 'Insufficient wallet balance',
  110007: 'ab not enough for new order',
  110012: 'Insufficient available balance.',
  110045: 'Insufficient wallet balance',
  110072: 'OrderLinkedID is duplicate',
  110079: 'The order is processing and can not be operated, please try again later',
  170007: 'Timeout waiting for response from backend server.',
  170131: 'Insufficient balance.',
  170141: 'Duplicate clientOrderId.',
  170146: 'Order creation timeout',
  170213: 'Order does not exist.',
}

/** The venue's text for a code. */
export function textOf(code: number): string {
  return TEXTS[code] ?? 'Internal System Error.'
}

/** The code the venue sends with a status when it is in trouble; `done` says that the request was carried out. */
export function codeBehind(status: number, done: boolean): number {
  if (status === 403) return 10018
  if (status === 401) return 10003
  if (status === 404) return 10017
  if (status === 429) return 10429
  if (status === 408 || status === 504 || done) return 10000
  return 10016
}
