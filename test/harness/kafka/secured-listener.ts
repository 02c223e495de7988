// Settings of a broker whose clients use TLS and log in. Brokers connect to each other on a listener without TLS
// and login.

import { selfSigned } from '../self-signed.ts';

const MODULES = 'org.apache.kafka.common.security';
const LISTENER = 'listener.name.sasl_ssl';

export type Secured = {
  readonly username: string;
  readonly password: string;
  /** In PEM format. */
  readonly certificate: string;
  readonly key: string;
};

export function newSecured(username: string, password: string): Secured {
  const { cert, key } = selfSigned();
  return { username, password, certificate: cert, key };
}

export function securedSettings(
  { username, password, certificate, key }: Secured,
  port: number,
  internalPort: number,
  controllerPort: number,
): Record<string, string> {
  const addresses = `SASL_SSL://localhost:${port},INTERNAL://127.0.0.1:${internalPort}`;
  return {
    listeners: `${addresses},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': addresses,
    'inter.broker.listener.name': 'INTERNAL',
    'listener.security.protocol.map': 'SASL_SSL:SASL_SSL,INTERNAL:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'ssl.keystore.type': 'PEM',
    'ssl.keystore.key': onOneLine(key),
    'ssl.keystore.certificate.chain': onOneLine(certificate),
    'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512,OAUTHBEARER',
    [`${LISTENER}.plain.sasl.jaas.config`]: `${MODULES}.plain.PlainLoginModule required user_${username}="${password}";`,
    [`${LISTENER}.scram-sha-256.sasl.jaas.config`]: `${MODULES}.scram.ScramLoginModule required;`,
    [`${LISTENER}.scram-sha-512.sasl.jaas.config`]: `${MODULES}.scram.ScramLoginModule required;`,
    // Accepts tokens without a signature.
    [`${LISTENER}.oauthbearer.sasl.jaas.config`]: `${MODULES}.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="broker";`,
  };
}

/** Arguments for the command that formats the directory of a broker. */
export function scramUsers({ username, password }: Secured): string[] {
  return ['SCRAM-SHA-256', 'SCRAM-SHA-512'].flatMap(mechanism => [
    '--add-scram',
    `${mechanism}=[name=${username},password=${password}]`,
  ]);
}

/** As a value in a properties file. */
function onOneLine(pem: string): string {
  return pem.trimEnd().replaceAll('\n', '\\n');
}
