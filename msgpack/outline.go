package msgpack

import (
	"reflect"

	"github.com/octet-go/octet/internal/outline"
)

// Outline returns what the compiled form of t is. It is for octet-gen, whose code must be that of the plan. The errors
// are those of [For].
func (c *Codec) Outline(t reflect.Type) (*outline.Type, error) {
	p := c.ready().ofType(t)
	if p.unsupported != nil {
		e := &Error{Op: opMarshal, Path: p.unsupported.Path, Found: p.unsupported.Found, Err: p.unsupported.Err}
		return nil, p.plans.withType(e, t)
	}
	p.plans.mu.Lock()
	defer p.plans.mu.Unlock()
	r := outliner{all: p.plans.all, done: map[*plan]*outline.Type{}}
	return r.outline(p), nil
}

// An outliner makes the outlines of plans that are complete.
type outliner struct {
	all, begun map[planKey]*plan
	done       map[*plan]*outline.Type
}

func (r *outliner) plan(key planKey) *plan {
	if p := r.all[key]; p != nil {
		return p
	}
	return r.begun[key]
}

// outline returns the outline of p, or nil if p is nil.
func (r *outliner) outline(p *plan) *outline.Type {
	if p == nil {
		return nil
	}
	if d := r.done[p]; d != nil {
		return d
	}
	d := &outline.Type{Go: p.typ, Form: p.form()}
	r.done[p] = d
	switch d.Form {
	case outline.Array:
		d.Elem = r.outline(p.part)
	case outline.Map:
		d.Elem, d.Key = r.outline(p.part), r.outline(r.plan(planKey{typ: p.typ.Key()}))
	case outline.Pointer:
		d.Elem = r.outline(p.elem)
	case outline.Struct, outline.Tuple:
		r.addFields(d, p)
	}
	d.Replaced = d.Replaces()
	return d
}

func (r *outliner) addFields(d *outline.Type, p *plan) {
	s := &p.program.fields
	o := p.plans
	for i := range s.Fields {
		f := &s.Fields[i]
		field := outline.Field{
			Name: f.Name, Index: f.Index, Embedded: len(f.Hops) > 0, Required: f.Options.Has(optionRequired), Aliases: f.Aliases,
			Value: r.outline(r.plan(planKey{f.Type, fieldForm(f.Options)})),
		}
		field.Value.ByTag = fieldForm(f.Options) != ""
		// The elements of an array cannot be omitted.
		if d.Form == outline.Struct {
			field.Key = o.appendName(nil, f)
			field.OmitEmpty, field.OmitZero = f.Options.Has(optionOmitEmpty) || o.OmitEmpty, f.Options.Has(optionOmitZero) || o.OmitZero
		}
		d.Fields = append(d.Fields, field)
	}
	if s.Rest != nil {
		d.Inline = r.outline(r.plan(planKey{typ: s.Rest.Type}))
	}
}

// form returns the form of p.
func (p *plan) form() outline.Form {
	kind := p.typ.Kind()
	switch put, get := scalarOps(p.typ); {
	case p.unsupported != nil:
		return outline.Other
	case put != putCall:
		// Another operation in one direction means that methods or options are used.
		if p.put != put || p.get != get && p.get != getAlias {
			return outline.Other
		}
		return scalarForm(kind)
	case p.put == putTime:
		return outline.Time
	case p.put == putBytes, p.put == putBlock:
		return outline.Bytes
	case p.put == putList && p.get == getList, p.put == putArray:
		return outline.Array
	case kind == reflect.Map && p.put == putMap && p.get == getNil:
		return outline.Map
	case kind == reflect.Pointer && p.get == getNil && p.elem != nil:
		return outline.Pointer
	case kind == reflect.Interface:
		return outline.Any
	case p.program == nil || kind != reflect.Struct || p.emit == nil:
		return outline.Other
	case p.program.asArray:
		return outline.Tuple
	}
	return outline.Struct
}

func scalarForm(kind reflect.Kind) outline.Form {
	switch {
	case kind == reflect.Bool:
		return outline.Bool
	case kind == reflect.String:
		return outline.String
	case kind <= reflect.Int64:
		return outline.Int
	case kind <= reflect.Uintptr:
		return outline.Uint
	}
	return outline.Float
}
