// A self-signed certificate for localhost, created each time, so that no key is stored.

import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export type SelfSigned = {
  /** In PEM format, like the certificate. */
  readonly key: string;
  readonly cert: string;
};

export function selfSigned(): SelfSigned {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(tlv(0x31, sequence(COMMON_NAME, tlv(0x0c, Buffer.from('localhost')))));
  const alternative = sequence(
    ALTERNATIVE_NAME,
    tlv(0x04, sequence(tlv(0x82, Buffer.from('localhost')))),
  );
  const body = sequence(
    tlv(0xa0, tlv(0x02, Buffer.of(2))),
    tlv(0x02, Buffer.concat([Buffer.of(1), randomBytes(8)])),
    sequence(ECDSA_SHA256),
    name,
    sequence(utc('250101000000Z'), utc('491231235959Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, sequence(alternative)),
  );
  const signature = sign('sha256', body, privateKey);
  const der = sequence(
    body,
    sequence(ECDSA_SHA256),
    tlv(0x03, Buffer.concat([Buffer.of(0), signature])),
  );
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`,
  };
}

const COMMON_NAME = tlv(0x06, Buffer.of(0x55, 4, 3));
const ALTERNATIVE_NAME = tlv(0x06, Buffer.of(0x55, 0x1d, 0x11));
const ECDSA_SHA256 = tlv(0x06, Buffer.of(0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2));

function utc(text: string): Buffer {
  return tlv(0x17, Buffer.from(text));
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tlv(0x30, Buffer.concat(parts));
}

/** ASN.1 DER: a tag, a length and a value. */
function tlv(tag: number, value: Buffer): Buffer {
  const { length } = value;
  const size =
    length < 0x80
      ? Buffer.of(length)
      : length < 0x100
        ? Buffer.of(0x81, length)
        : Buffer.of(0x82, length >> 8, length & 0xff);
  return Buffer.concat([Buffer.of(tag), size, value]);
}
