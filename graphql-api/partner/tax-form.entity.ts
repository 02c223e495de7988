import { defineEntity, p } from '@mikro-orm/core';

const TaxFormSchema = defineEntity({
  name: 'TaxForm',
  tableName: 'tax_forms',
  properties: {
    startsOn: p.date().primary(),
    form: p.text(),
    deductorName: p.text().nullable(),
    deductorTan: p.text().nullable(),
  },
});

/** On which form tax is certified from a day on, and who deducts it. */
export class TaxForm extends TaxFormSchema.class {}
TaxFormSchema.setClass(TaxForm);
