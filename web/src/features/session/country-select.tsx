import { Select, type SelectProps } from 'antd'
import { countries } from './countries.ts'

const options = countries.map(({ name, Flag }) => ({
  value: name,
  label: (
    <span className="country">
      <Flag aria-hidden="true" />
      {name}
    </span>
  ),
}))

/** Chooses a country by typing its name or from the list. */
export function CountrySelect(props: SelectProps<string>) {
  return <Select {...props} showSearch={{ optionFilterProp: 'value' }} options={options} />
}
