import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';

const PARENT_BASED = 'parentbased_';

/** https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/ */
export function samplerOf(env: Readonly<Record<string, string | undefined>>): Sampler {
  const name = env.OTEL_TRACES_SAMPLER?.trim() || 'parentbased_always_on';
  const isParentBased = name.startsWith(PARENT_BASED);
  const root = rootSampler(isParentBased ? name.slice(PARENT_BASED.length) : name, env);
  return isParentBased ? new ParentBasedSampler({ root }) : root;
}

function rootSampler(name: string, env: Readonly<Record<string, string | undefined>>): Sampler {
  switch (name) {
    case 'always_on':
      return new AlwaysOnSampler();
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(ratioOf(env.OTEL_TRACES_SAMPLER_ARG));
    default:
      throw new Error(
        `OTEL_TRACES_SAMPLER: ${name} is not supported. Use always_on, always_off or traceidratio, with or without the prefix parentbased_.`,
      );
  }
}

function ratioOf(text: string | undefined): number {
  const ratio = Number(text?.trim() || 1);
  if (ratio >= 0 && ratio <= 1) return ratio;
  throw new Error('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.');
}
