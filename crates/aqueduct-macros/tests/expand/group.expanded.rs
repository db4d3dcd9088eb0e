// Written by `UPDATE=1 cargo test -p aqueduct-macros`.

impl Notes {
    /// Keep a note.
    #[allow(clippy::too_many_arguments)]
    async fn put(&self, name: String) -> Result<Self> {
        Self::put_it(name)
    }
    #[allow(clippy::too_many_arguments)]
    fn note(self: Arc<Self>, name: String) -> Option<String> {
        self.find(&name)
    }
    fn find(&self, name: &str) -> Option<String> {
        None
    }
}
#[automatically_derived]
impl Notes {
    ///The tools of this value, which they share.
    #[must_use]
    #[allow(dead_code)]
    pub fn into_tools(self) -> ::std::vec::Vec<::aqueduct::__private::Tool> {
        ::std::sync::Arc::new(self).to_tools()
    }
    ///The tools of a value that is shared with others.
    #[must_use]
    #[allow(dead_code)]
    pub fn to_tools(
        self: &::std::sync::Arc<Self>,
    ) -> ::std::vec::Vec<::aqueduct::__private::Tool> {
        ::std::vec::Vec::from([
            {
                struct __P0;
                #[automatically_derived]
                impl ::aqueduct::__private::Parameter for __P0 {
                    type Value = String;
                }
                struct __Arguments {
                    p0: ::aqueduct::__private::Slot<__P0>,
                }
                #[automatically_derived]
                impl ::aqueduct::__private::Arguments for __Arguments {
                    type Values = (String,);
                    const NAME: &'static str = "put";
                    const NAMES: &'static [&'static str] = &["name"];
                    fn place(
                        name: &str,
                    ) -> ::core::option::Option<::aqueduct::__private::Place> {
                        match name {
                            "name" => ::core::option::Option::Some(0usize),
                            _ => ::core::option::Option::None,
                        }
                    }
                    fn empty() -> Self {
                        Self {
                            p0: ::aqueduct::__private::Slot::empty(),
                        }
                    }
                    fn read<'de, A: ::aqueduct::__private::MapAccess<'de>>(
                        &mut self,
                        place: ::aqueduct::__private::Place,
                        map: &mut A,
                    ) -> ::core::result::Result<(), A::Error> {
                        match place {
                            0usize => self.p0.read("name", map),
                            _ => ::core::result::Result::Ok(()),
                        }
                    }
                    fn finish<E: ::aqueduct::__private::DecodeError>(
                        self,
                    ) -> ::core::result::Result<Self::Values, E> {
                        let values = (self.p0.required("name")?,);
                        ::core::result::Result::Ok(values)
                    }
                    fn describe(fields: &mut ::aqueduct::__private::Fields<'_>) {
                        fields.add::<__P0>("name", |_| {});
                    }
                }
                struct __Returned;
                #[automatically_derived]
                impl ::aqueduct::__private::ToolReturns for __Returned {
                    type Value = Result<Notes>;
                }
                ::aqueduct::__private::Tool::new("notes_put")
                    .description("Keep a note.")
                    .handler({
                        let __this = ::std::sync::Arc::clone(self);
                        ::aqueduct::__private::handled(move |
                            ::aqueduct::__private::Both(
                                ::aqueduct::__private::Given((__a0,)),
                                ::aqueduct::__private::Nothing,
                            ): ::aqueduct::__private::Both<
                                ::aqueduct::__private::Given<__Arguments>,
                                ::aqueduct::__private::Nothing,
                            >|
                        {
                            let __this = ::std::sync::Arc::clone(&__this);
                            async move {
                                ::aqueduct::__private::ToolAnswer::<
                                    __Returned,
                                >(Self::put(&__this, __a0).await)
                            }
                        })
                    })
            },
        ])
    }
    ///The resources of this value, which they share.
    #[must_use]
    #[allow(dead_code)]
    pub fn into_resources(self) -> ::std::vec::Vec<::aqueduct::__private::AnyResource> {
        ::std::sync::Arc::new(self).to_resources()
    }
    ///The resources of a value that is shared with others.
    #[must_use]
    #[allow(dead_code)]
    pub fn to_resources(
        self: &::std::sync::Arc<Self>,
    ) -> ::std::vec::Vec<::aqueduct::__private::AnyResource> {
        ::std::vec::Vec::from([
            {
                struct __P0;
                #[automatically_derived]
                impl ::aqueduct::__private::Parameter for __P0 {
                    type Value = String;
                }
                struct __Arguments {
                    p0: ::aqueduct::__private::Slot<__P0>,
                }
                #[automatically_derived]
                impl ::aqueduct::__private::Arguments for __Arguments {
                    type Values = (String,);
                    const NAME: &'static str = "note";
                    const NAMES: &'static [&'static str] = &["name"];
                    fn place(
                        name: &str,
                    ) -> ::core::option::Option<::aqueduct::__private::Place> {
                        match name {
                            "name" => ::core::option::Option::Some(0usize),
                            _ => ::core::option::Option::None,
                        }
                    }
                    fn empty() -> Self {
                        Self {
                            p0: ::aqueduct::__private::Slot::empty(),
                        }
                    }
                    fn read<'de, A: ::aqueduct::__private::MapAccess<'de>>(
                        &mut self,
                        place: ::aqueduct::__private::Place,
                        map: &mut A,
                    ) -> ::core::result::Result<(), A::Error> {
                        match place {
                            0usize => self.p0.read("name", map),
                            _ => ::core::result::Result::Ok(()),
                        }
                    }
                    fn finish<E: ::aqueduct::__private::DecodeError>(
                        self,
                    ) -> ::core::result::Result<Self::Values, E> {
                        let values = (self.p0.required("name")?,);
                        ::core::result::Result::Ok(values)
                    }
                    fn describe(fields: &mut ::aqueduct::__private::Fields<'_>) {
                        fields.add::<__P0>("name", |_| {});
                    }
                }
                struct __Returned;
                #[automatically_derived]
                impl ::aqueduct::__private::ResourceReturns for __Returned {
                    type Value = Option<String>;
                }
                ::core::convert::From::from(
                    ::aqueduct::__private::ResourceTemplate::new(
                            "notes://{name}",
                            "notes_note",
                        )
                        .handler({
                            let __this = ::std::sync::Arc::clone(self);
                            ::aqueduct::__private::handled(move |
                                ::aqueduct::__private::Both(
                                    ::aqueduct::__private::Given((__a0,)),
                                    ::aqueduct::__private::Nothing,
                                ): ::aqueduct::__private::Both<
                                    ::aqueduct::__private::Given<__Arguments>,
                                    ::aqueduct::__private::Nothing,
                                >|
                            {
                                let __this = ::std::sync::Arc::clone(&__this);
                                async move {
                                    ::aqueduct::__private::ResourceAnswer::<
                                        __Returned,
                                    >(Self::note(__this, __a0))
                                }
                            })
                        }),
                )
            },
        ])
    }
}
