export type TemplateVariable = {
  /** As in `{{name}}`; of an SMS's `{#var#}` its position among them: `var1`. */
  readonly name: string;
  readonly type: 'text' | 'number' | 'alphanumeric' | 'url' | 'phone' | 'email';
  /** Whether each message needs a value: false where a default stands in its place. */
  readonly isRequired: boolean;
  /** Of `{{name | default: "there"}}`. */
  readonly fallback: string | null;
  /** What reviewers and previews are shown. */
  readonly sample: string;
};
