// A backup in an S3 bucket, or in another service with the same protocol. The commands work on a folder: a backup is
// created in a temporary one and uploaded, or downloaded into one. The packages are loaded only for such an address.

import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { S3Client } from '@aws-sdk/client-s3';
import { MANIFEST_FILE, type Manifest, readManifest } from './manifest.ts';

type Place = { readonly client: S3Client; readonly bucket: string; readonly prefix: string };

/** A file has up to 10,000 parts, so up to 640 GB. */
const PART_BYTES = 64 * 1024 * 1024;
/** Backups have thousands of small files, and a few large ones. */
const FILES_AT_ONCE = 8;

/** Resolves to what `create` resolves to, after the upload. */
export function createAt(
  address: string,
  create: (directory: string) => Promise<Manifest>,
  log: (line: string) => void,
): Promise<Manifest> {
  if (!isS3(address)) return create(address);
  return withPlace(address, async place => {
    await requireNoBackup(place, address);
    return withTemporary(async directory => {
      const manifest = await create(directory);
      await upload(place, directory, manifest);
      log(`${address}: ${manifest.files.length} files uploaded`);
      return manifest;
    });
  });
}

/** Calls `use` with the folder of the backup, which lacks the files that are missing from the bucket. */
export function readFrom<Result>(
  address: string,
  use: (directory: string) => Promise<Result>,
  log: (line: string) => void,
): Promise<Result> {
  if (!isS3(address)) return use(address);
  return withPlace(address, place =>
    withTemporary(async directory => {
      const isComplete = await download(place, directory, MANIFEST_FILE);
      if (!isComplete)
        throw new Error(`${address} is not a complete backup: it has no ${MANIFEST_FILE}.`);
      const { files } = await readManifest(directory);
      await atOnce(files, ({ path }) => download(place, directory, path));
      log(`${address}: ${files.length} files downloaded`);
      return use(directory);
    }),
  );
}

function isS3(address: string): boolean {
  return address.startsWith('s3://');
}

/** The region, the credentials and another endpoint are read from the variables of the AWS SDKs. */
async function withPlace<Result>(
  address: string,
  use: (place: Place) => Promise<Result>,
): Promise<Result> {
  const [, bucket, prefix] = /^s3:\/\/([^/]+)\/(.+?)\/*$/.exec(address) ?? [];
  if (bucket === undefined || prefix === undefined)
    throw new Error(`${address} must have the form s3://BUCKET/PREFIX.`);
  const { S3Client } = await import('@aws-sdk/client-s3');
  const hasEndpoint = Boolean(process.env.AWS_ENDPOINT_URL_S3 ?? process.env.AWS_ENDPOINT_URL);
  // Most other services ignore the region, and have no name for each bucket.
  const region = process.env.AWS_REGION ?? (hasEndpoint ? 'us-east-1' : undefined);
  const client = new S3Client({
    forcePathStyle: hasEndpoint,
    ...(region !== undefined && { region }),
  });
  try {
    return await use({ client, bucket, prefix });
  } finally {
    client.destroy();
  }
}

async function withTemporary<Result>(use: (directory: string) => Promise<Result>): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), 'backup-'));
  try {
    return await use(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** An interrupted upload can be repeated. */
async function requireNoBackup({ client, bucket, prefix }: Place, address: string): Promise<void> {
  const { HeadObjectCommand, NotFound } = await import('@aws-sdk/client-s3');
  const manifest = { Bucket: bucket, Key: `${prefix}/${MANIFEST_FILE}` };
  try {
    await client.send(new HeadObjectCommand(manifest));
  } catch (error) {
    if (error instanceof NotFound) return;
    throw error;
  }
  throw new Error(`${address} already contains a backup. Use a new prefix.`);
}

/** The manifest is uploaded last, so an interrupted upload is not a complete backup. */
async function upload(place: Place, directory: string, { files }: Manifest): Promise<void> {
  const { Upload } = await import('@aws-sdk/lib-storage');
  const put = ({ client, bucket, prefix }: Place, path: string) =>
    new Upload({
      client,
      params: {
        Bucket: bucket,
        Key: `${prefix}/${path}`,
        Body: createReadStream(join(directory, path)),
      },
      partSize: PART_BYTES,
    }).done();
  await atOnce(files, ({ path }) => put(place, path));
  await put(place, MANIFEST_FILE);
}

/** False if the bucket does not have the file. */
async function download(
  { client, bucket, prefix }: Place,
  directory: string,
  path: string,
): Promise<boolean> {
  const { GetObjectCommand, NoSuchKey } = await import('@aws-sdk/client-s3');
  const file = join(directory, path);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  try {
    const { Body } = await client.send(
      new GetObjectCommand({ Bucket: bucket, Key: `${prefix}/${path}` }),
    );
    await pipeline(Body as Readable, createWriteStream(file, { mode: 0o600 }));
    return true;
  } catch (error) {
    if (error instanceof NoSuchKey) return false;
    throw error;
  }
}

async function atOnce<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const waiting = items.values();
  const lane = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: FILES_AT_ONCE }, lane));
}
