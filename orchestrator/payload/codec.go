// Package payload encrypts what is given to Temporal, so that it cannot be read there: a keyring, and the codec that
// encrypts the payloads of workflows with it (AES-256-GCM) and decrypts them. It makes no calls, does not decide who
// may read, and never logs a key.
package payload

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	commonpb "go.temporal.io/api/common/v1"
	failurepb "go.temporal.io/api/failure/v1"
	"go.temporal.io/api/proxy"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"
	"google.golang.org/protobuf/proto"
)

// The metadata of an encrypted payload. All of it is authenticated.
const (
	encoding    = "binary/encrypted"
	keyMetadata = "encryption-key-id"
)

// Codec encrypts and decrypts payloads. It implements converter.PayloadCodec.
type Codec struct {
	keys *Keys
	seal bool
}

// NewCodec returns a codec with the keys. With seal off it encrypts nothing, but still decrypts.
func NewCodec(keys *Keys, seal bool) *Codec { return &Codec{keys, seal} }

// Encode encrypts each payload, its own metadata included, with the current key.
func (c *Codec) Encode(payloads []*commonpb.Payload) ([]*commonpb.Payload, error) {
	if !c.seal {
		return payloads, nil
	}
	k, err := c.keys.current()
	if err != nil {
		return nil, err
	}
	sealed := make([]*commonpb.Payload, len(payloads))
	for i, p := range payloads {
		plain, err := proto.Marshal(p)
		if err != nil {
			return nil, fmt.Errorf("encode a payload: %w", err)
		}
		metadata := map[string][]byte{converter.MetadataEncoding: []byte(encoding), keyMetadata: []byte(k.id)}
		sealed[i] = &commonpb.Payload{Metadata: metadata, Data: k.aead.Seal(nil, nil, plain, authenticated(metadata))}
	}
	return sealed, nil
}

// Decode opens the payloads that are encrypted and gives the others as they are, since histories that began before
// encryption have to go on. An error names the key that is missing, or that was not the one.
func (c *Codec) Decode(payloads []*commonpb.Payload) ([]*commonpb.Payload, error) {
	opened := make([]*commonpb.Payload, len(payloads))
	for i, p := range payloads {
		if string(p.GetMetadata()[converter.MetadataEncoding]) != encoding {
			opened[i] = p
			continue
		}
		id := string(p.GetMetadata()[keyMetadata])
		k, ok := c.keys.find(id)
		if !ok {
			return nil, fmt.Errorf("this payload is encrypted with the key %q, which is not in the keyring", id)
		}
		plain, err := k.aead.Open(nil, nil, p.GetData(), authenticated(p.GetMetadata()))
		if err != nil {
			return nil, fmt.Errorf("this payload was changed, or not encrypted with this keyring's key %q", id)
		}
		opened[i] = &commonpb.Payload{}
		if err := proto.Unmarshal(plain, opened[i]); err != nil {
			return nil, fmt.Errorf("what the key %q opened is no payload: %w", id, err)
		}
	}
	return opened, nil
}

// authenticated returns an unambiguous encoding of the metadata as bytes.
func authenticated(metadata map[string][]byte) []byte {
	var all []byte
	for _, name := range slices.Sorted(maps.Keys(metadata)) {
		for _, part := range [][]byte{[]byte(name), metadata[name]} {
			all = append(binary.AppendUvarint(all, uint64(len(part))), part...)
		}
	}
	return all
}

// Converters returns what a Temporal client of workers and starters converts values and failures with. Where a payload
// cannot be opened they panic: an error would fail the workflow for good, and a panic leaves it waiting until the key
// is there. In activities and queries the SDK catches it. Who opens payloads elsewhere uses Decode.
func (c *Codec) Converters() (converter.DataConverter, converter.FailureConverter) {
	values := converter.NewCodecDataConverter(converter.GetDefaultDataConverter(), insisting{c})
	return values, temporal.NewDefaultFailureConverter(temporal.DefaultFailureConverterOptions{DataConverter: values,
		EncodeCommonAttributes: c.seal})
}

type insisting struct{ *Codec }

func (c insisting) Decode(payloads []*commonpb.Payload) ([]*commonpb.Payload, error) {
	opened, err := c.Codec.Decode(payloads)
	if err != nil {
		panic(err)
	}
	return opened, nil
}

// Open opens every payload and every failure in a message of Temporal's, such as a history, in its place.
func (c *Codec) Open(ctx context.Context, message proto.Message) error {
	err := proxy.VisitPayloads(ctx, message, proxy.VisitPayloadsOptions{SkipSearchAttributes: true,
		Visitor: func(_ *proxy.VisitPayloadsContext, p []*commonpb.Payload) ([]*commonpb.Payload, error) {
			return c.Decode(p)
		}})
	if err != nil {
		return err
	}
	return proxy.VisitFailures(ctx, message,
		proxy.VisitFailuresOptions{Visitor: func(_ *proxy.VisitFailuresContext, f *failurepb.Failure) error {
			converter.DecodeCommonFailureAttributes(converter.GetDefaultDataConverter(), f)
			f.EncodedAttributes = nil
			return nil
		}})
}
